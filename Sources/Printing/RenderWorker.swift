internal import Rendering

/// Makes this process a render worker when it was started as one; otherwise nothing happens.
///
/// Asked before anything else: a worker reads no options and no settings.
package func becomeWorkerIfAsked(_ arguments: [String]) {
  guard arguments.first == Worker.command else { return }
  Worker.run(isForked: arguments.contains("forked"), readsPDF: arguments.contains("pdf"))
}

/// Has the first document of this run drawn by a worker that was forked when the program started: by the
/// time that it is known what is to be drawn, its libraries are loaded.
package func useForkedWorker(_ process: Int32, socket: Int32) {
  ForkedWorker.offer(process, socket)
}
