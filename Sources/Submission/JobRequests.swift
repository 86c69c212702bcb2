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

  package static func getJobAttributes(_ job: Int, at uri: PrinterURI, user: String) -> Request {
    Request(
      .getJobAttributes,
      operationAttributes: target(uri, job, user)
        + [Attribute("requested-attributes", JobStatus.attributes.map { .keyword($0) })])
  }

  package static func cancelJob(_ job: Int, at uri: PrinterURI, user: String) -> Request {
    Request(.cancelJob, operationAttributes: target(uri, job, user))
  }

  private static func target(_ uri: PrinterURI, _ job: Int?, _ user: String) -> [Attribute] {
    [Attribute("printer-uri", .uri(uri.text))]
      + (job.map { [Attribute("job-id", .integer($0))] } ?? [])
      + [Attribute("requesting-user-name", .name(user))]
  }
}

extension Response {
  /// The one job that was asked about.
  package var job: JobStatus? { jobs.first.flatMap(JobStatus.init(reading:)) }
}
