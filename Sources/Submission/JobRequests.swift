package import IPP
package import PrintModel

extension Request {
  /// Requests this user's jobs that have not ended.
  package static func getJobs(at uri: PrinterURI, user: String) -> Request {
    Request(
      .getJobs,
      operationAttributes: target(uri, nil, user) + [
        Attribute("which-jobs", .keyword("not-completed")), Attribute("my-jobs", .boolean(true)),
        Attribute("requested-attributes", JobStatus.attributes.map { .keyword($0) }),
      ])
  }

  /// Requests the jobs of all users, `not-completed` or `completed`, at most a hundred (RFC 8011 §4.2.6.1).
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

  /// Release-Job (RFC 8011 §4.3.6): lets a held job print.
  package static func releaseJob(_ job: Int, at uri: PrinterURI, user: String) -> Request {
    Request(.releaseJob, operationAttributes: target(uri, job, user))
  }

  /// CUPS-Move-Job: moves a job to another queue of the same server.
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
  /// Returns the state of the job; nil if the answer does not contain it.
  package func job(_ id: Int) -> JobStatus? {
    jobs.lazy.compactMap(JobStatus.init(reading:)).first { $0.id == id }
  }
}
