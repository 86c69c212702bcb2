internal import Rendering

/// Makes this process a render worker when it was started as one; otherwise nothing happens. Asked
/// before anything else: a worker reads no options and no settings.
package func becomeWorkerIfAsked(_ arguments: [String]) {
  if arguments == [Worker.command] { Worker.run() }
}
