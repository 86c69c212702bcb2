import FoundationEssentials
import Glibc
import TestSupport

extension Person {
  /// Starts a third-party server, known only by its address, and waits until it lists a printer.
  ///
  /// - `path`: the path of that printer.
  /// - `command`: starts the server on a port; another program may take a free port first.
  func startServer(
    listing path: String, _ command: (Int) -> [String]
  ) async throws -> (program: Program, place: String) {
    for _ in 0..<10 {
      let port = try freePort()
      let program = try bench.start(
        command(port),
        adding: ["HOME": self.path("pappl/home"), "DBUS_SYSTEM_BUS_ADDRESS": "unix:path=/none"])
      let place = "127.0.0.1:\(port)"
      try await eventually("a server answers at \(place)") {
        if !program.isRunning { return true }
        return try await airprint("show", "ipp://\(place)\(path)").code == 0
      }
      if program.isRunning { return (program, place) }
    }
    throw Missing("a port for \(command(0))")
  }
}

/// A printer application based on PAPPL, a server that is not our code, with one printer for A4 sheets, and one for
/// labels of 4 by 6 inches on a roll.
///
/// It is known only by its address, and writes a line for each page into the file of its job. It never sets the
/// machine's name, which PAPPL can do.
struct PrinterApplication {
  let program: Program
  let place: String
  private let folder: String

  var sheet: String { "ipp://\(place)/ipp/print/Sheet" }
  var label: String { "ipp://\(place)/ipp/print/Label" }

  init(_ person: Person) async throws {
    folder = person.path("pappl")
    for name in ["", "/home", "/spool", "/paper"] {
      try FileManager.default.createDirectory(
        atPath: folder + name, withIntermediateDirectories: true)
    }
    let source = "\(folder)/pappl.c"
    let binary = "\(folder)/pappl"
    try Array(PrinterApplication.source.utf8).write(to: source)
    let made = try await person.shell(
      "cc -Wall -Wextra \(source) -o \(binary) $(pkg-config --cflags --libs pappl)")
    guard made.code == 0 else { throw Missing("a printer application: \(made.report)") }
    (program, place) = try await person.startServer(listing: "/ipp/print/Label") { [folder] port in
      [binary, "\(port)", "\(folder)/spool", "\(folder)/paper"]
    }
  }

  func end() async {
    program.signal(SIGKILL)
    _ = await program.end()
  }

  /// Returns the lines for the pages of the job with this name.
  func pages(of name: String) -> String {
    (try? bytes(of: "\(folder)/paper/\(name).prn")).map { String(decoding: $0, as: UTF8.self) }
      ?? ""
  }

  private static let source = """
    #include <pappl/pappl.h>
    #include <string.h>
    static bool start_job(pappl_job_t *job, pappl_pr_options_t *options, pappl_device_t *device) {
      (void)job; (void)options; (void)device;
      return true;
    }
    static bool start_page(pappl_job_t *job, pappl_pr_options_t *options, pappl_device_t *device, unsigned page) {
      papplDevicePrintf(device, "job %d page %u %ux%u pixels %u dpi %s %s\\n", papplJobGetID(job), page,
        options->header.cupsWidth, options->header.cupsHeight, options->header.HWResolution[0],
        options->media.size_name, options->media.source);
      return true;
    }
    static bool end_page(pappl_job_t *job, pappl_pr_options_t *options, pappl_device_t *device, unsigned page) {
      (void)job; (void)options; (void)page;
      papplDeviceFlush(device);
      return true;
    }
    static bool write_line(pappl_job_t *job, pappl_pr_options_t *options, pappl_device_t *device, unsigned y,
                           const unsigned char *line) {
      (void)job; (void)options; (void)device; (void)y; (void)line;
      return true;
    }
    static bool print_file(pappl_job_t *job, pappl_pr_options_t *options, pappl_device_t *device) {
      (void)job; (void)options; (void)device;
      return true;
    }
    static bool status(pappl_printer_t *printer) { (void)printer; return true; }
    static void ready(pappl_pr_driver_data_t *data, const char *name, const char *source, const char *type) {
      pwg_media_t *size = pwgMediaForPWG(name);
      pappl_media_col_t *media = data->media_ready;
      data->num_media = 1;
      data->media[0] = name;
      data->num_source = 1;
      data->source[0] = source;
      data->num_type = 1;
      data->type[0] = type;
      papplCopyString(media->size_name, name, sizeof media->size_name);
      papplCopyString(media->source, source, sizeof media->source);
      papplCopyString(media->type, type, sizeof media->type);
      media->size_width = size->width;
      media->size_length = size->length;
      media->left_margin = media->right_margin = data->left_right;
      media->top_margin = media->bottom_margin = data->bottom_top;
    }
    static bool driver(pappl_system_t *system, const char *name, const char *uri, const char *id,
                       pappl_pr_driver_data_t *data, ipp_t **attributes, void *more) {
      (void)system; (void)uri; (void)id; (void)attributes; (void)more;
      bool is_label = !strcmp(name, "label");
      data->printfile_cb = print_file;
      data->rstartjob_cb = data->rendjob_cb = start_job;
      data->rstartpage_cb = start_page;
      data->rendpage_cb = end_page;
      data->rwriteline_cb = write_line;
      data->status_cb = status;
      data->format = "application/vnd.example";
      papplCopyString(data->make_and_model, is_label ? "Example Label" : "Example Sheet", sizeof data->make_and_model);
      data->ppm = 20;
      data->kind = is_label ? PAPPL_KIND_LABEL : PAPPL_KIND_DOCUMENT;
      data->orient_default = IPP_ORIENT_NONE;
      data->color_supported = PAPPL_COLOR_MODE_AUTO | PAPPL_COLOR_MODE_MONOCHROME;
      data->color_default = PAPPL_COLOR_MODE_MONOCHROME;
      data->content_default = PAPPL_CONTENT_AUTO;
      data->quality_default = IPP_QUALITY_NORMAL;
      data->scaling_default = PAPPL_SCALING_AUTO;
      data->raster_types = PAPPL_PWG_RASTER_TYPE_SGRAY_8;
      data->sides_supported = data->sides_default = PAPPL_SIDES_ONE_SIDED;
      data->finishings = PAPPL_FINISHINGS_NONE;
      data->num_resolution = 1;
      data->x_resolution[0] = data->y_resolution[0] = data->x_default = data->y_default = is_label ? 203 : 300;
      data->left_right = data->bottom_top = is_label ? 0 : 423;
      data->borderless = is_label;
      if (is_label) {
        data->tracking_supported = PAPPL_MEDIA_TRACKING_GAP;
        ready(data, "na_index-4x6_4x6in", "main-roll", "labels");
        data->media_ready[0].tracking = PAPPL_MEDIA_TRACKING_GAP;
      } else {
        ready(data, "iso_a4_210x297mm", "main", "stationery");
      }
      data->media_default = data->media_ready[0];
      return true;
    }
    int main(int count, char *arguments[]) {
      static pappl_pr_driver_t drivers[] = {{"sheet", "Sheet", "", NULL}, {"label", "Label", "", NULL}};
      if (count != 4) return 64;
      pappl_system_t *system = papplSystemCreate(
        PAPPL_SOPTIONS_MULTI_QUEUE | PAPPL_SOPTIONS_NO_TLS, "Strangers", atoi(arguments[1]), NULL, arguments[2], "-",
        PAPPL_LOGLEVEL_WARN, NULL, false);
      if (!system) return 70;
      if (!papplSystemAddListeners(system, "127.0.0.1")) return 75;
      papplSystemSetPrinterDrivers(system, 2, drivers, NULL, NULL, driver, NULL);
      for (int index = 0; index < 2; index++) {
        char uri[1024];
        snprintf(uri, sizeof uri, "file://%s", arguments[3]);
        if (!papplPrinterCreate(system, 0, drivers[index].description, drivers[index].name, "MFG:Example;MDL:X;", uri))
          return 70;
      }
      papplSystemRun(system);
      return 0;
    }
    """
}
