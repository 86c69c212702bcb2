import TestSupport

/// A notification service on the bench's bus (org.freedesktop.Notifications), which records notifications and
/// responds to each with one action.
struct Desktop: Sendable {
  let program: Program

  /// - `answer`: the action that the user chooses; nil for none.
  init(at bench: Bench, answering answer: String? = nil) async throws {
    let script = try bench.scratch.write(Desktop.script, to: "desktop.py")
    // Debian's Python, which has python3-dbus.
    program = try bench.start(
      ["/usr/bin/python3", script] + (answer.map { [$0] } ?? []), adding: Desktop.variables(bench))
    try await program.wait(for: "ready")
  }

  /// Returns the environment variables with which programs find it.
  static func variables(_ bench: Bench) -> [String: String] {
    ["DBUS_SESSION_BUS_ADDRESS": bench.busAddress]
  }

  /// The notifications so far, one per line: `TITLE | TEXT | ACTIONS`.
  var shown: [String] {
    String(decoding: program.output, as: UTF8.self).split(separator: "\n").map(String.init)
      .filter { $0 != "ready" }
  }

  private static let script = """
    import sys
    import dbus, dbus.service
    from dbus.mainloop.glib import DBusGMainLoop
    from gi.repository import GLib

    NAME = "org.freedesktop.Notifications"


    class Notifications(dbus.service.Object):
        last = 0

        @dbus.service.method(NAME, in_signature="susssasa{sv}i", out_signature="u")
        def Notify(self, app, replaces, icon, summary, body, actions, hints, timeout):
            self.last += 1
            print(summary, body, ",".join(actions), sep=" | ", flush=True)
            if len(sys.argv) > 1:
                GLib.timeout_add(200, self.answer, self.last, sys.argv[1])
            return dbus.UInt32(self.last)

        def answer(self, number, action):
            self.ActionInvoked(number, action)
            self.NotificationClosed(number, 2)

        @dbus.service.method(NAME, in_signature="u")
        def CloseNotification(self, number):
            print("closed", flush=True)
            self.NotificationClosed(number, 3)

        @dbus.service.method(NAME, out_signature="as")
        def GetCapabilities(self):
            return ["actions", "body", "body-markup"]

        @dbus.service.method(NAME, out_signature="ssss")
        def GetServerInformation(self):
            return ("test", "test", "1", "1.2")

        @dbus.service.signal(NAME, signature="us")
        def ActionInvoked(self, number, action):
            pass

        @dbus.service.signal(NAME, signature="uu")
        def NotificationClosed(self, number, reason):
            pass


    DBusGMainLoop(set_as_default=True)
    bus = dbus.SessionBus()
    name = dbus.service.BusName(NAME, bus)
    service = Notifications(bus, "/org/freedesktop/Notifications")
    print("ready", flush=True)
    GLib.MainLoop().run()
    """
}
