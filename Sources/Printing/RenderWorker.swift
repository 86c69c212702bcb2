internal import Rendering

/// Runs a render worker if this process was started as one; otherwise does nothing.
///
/// Called before anything else: a worker reads no options and no settings.
package func becomeWorkerIfAsked(_ arguments: [String]) {
  guard arguments.first == Worker.command else { return }
  if arguments.contains(Worker.trial) { Worker.tryOut() }
  Worker.run(isForked: arguments.contains("forked"), readsPDF: arguments.contains("pdf"))
}

/// Uses a worker that was forked at program start for the first document of this run.
///
/// Its libraries are loaded by the time that it is known what to draw.
package func useForkedWorker(_ process: Int32, socket: Int32) {
  ForkedWorker.offer(process, socket)
}
