package import IPP
package import PrintModel

extension Request {
  /// This user's jobs that are not over.
  package static func getJobs(at uri: PrinterURI, user: String) -> Request {
    Request(
      .getJobs,
      operationAttributes: target(uri, nil, user) + [
        Attribute("which-jobs", .keyword("not-completed")), Attribute("my-jobs", .boolean(true)),
        Attribute("requested-attributes", JobStatus.attributes.map { .keyword($0) }),
      ])
  }

  /// Everybody's jobs, `not-completed` or `completed`, of these the last hundred (RFC 8011 §4.2.6.1).
  static func getJobs(_ which: String, at uri: PrinterURI, user: String) -> Request {
    Request(
      .getJobs,
      operationAttributes: target(uri, nil, user) + [
        Attribute("which-jobs", .keyword(which)), Attribute("limit", .integer(100)),
        Attribute("requested-attributes", JobStatus.attributes.map { .keyword($0) }),
      ])
  }

  package static func getJobAttributes(_ job: Int, at uri: PrinterURI, user: String) -> Request {
    Request(
      .getJobAttributes,
      operationAttributes: target(uri, job, user)
        + [Attribute("requested-attributes", JobStatus.attributes.map { .keyword($0) })])
  }

  package static func cancelJob(_ job: Int, at uri: PrinterURI, user: String) -> Request {
    Request(.cancelJob, operationAttributes: target(uri, job, user))
  }

  /// Release-Job (RFC 8011 §4.3.6): a job that is held may print.
  package static func releaseJob(_ job: Int, at uri: PrinterURI, user: String) -> Request {
    Request(.releaseJob, operationAttributes: target(uri, job, user))
  }

  /// CUPS-Move-Job: a job of one queue becomes that of another of the same server.
  package static func cupsMoveJob(
    _ job: Int, at uri: PrinterURI, to other: PrinterURI, user: String
  ) -> Request {
    Request(
      .cupsMoveJob, operationAttributes: target(uri, job, user),
      jobAttributes: [Attribute("job-printer-uri", .uri(other.text))])
  }

  private static func target(_ uri: PrinterURI, _ job: Int?, _ user: String) -> [Attribute] {
    [Attribute("printer-uri", .uri(uri.text))]
      + (job.map { [Attribute("job-id", .integer($0))] } ?? [])
      + [Attribute("requesting-user-name", .name(user))]
  }
}

extension Response {
  /// State of the job that was asked about; nil when the answer does not mention it.
  package func job(_ id: Int) -> JobStatus? {
    jobs.lazy.compactMap(JobStatus.init(reading:)).first { $0.id == id }
  }
}
