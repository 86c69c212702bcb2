internal import CLibraryPatches
internal import Synchronization

/// Transforms between color profiles, each created only once.
///
/// Documents name the same profile on every page and for every picture. Poppler has Little CMS create a transform each
/// time, which takes a millisecond; here, a second transform between equal profiles is the first one.
enum ColorTransforms {
  private struct Key: Hashable {
    var input: [UInt8]
    var output: [UInt8]
    var inputFormat: UInt32
    var outputFormat: UInt32
    var intent: UInt32
    var flags: UInt32
  }

  private struct Made {
    /// Addresses, only used as keys.
    var transforms: [Key: UInt] = [:]
    /// Bytes left for kept profiles.
    var room = 8 << 20
  }

  private static let made = Mutex(Made())

  fileprivate static func create(
    _ input: UnsafeMutableRawPointer?, _ inputFormat: UInt32, _ output: UnsafeMutableRawPointer?,
    _ outputFormat: UInt32, _ intent: UInt32, _ flags: UInt32
  ) -> UnsafeMutableRawPointer? {
    let create = {
      own_cmsCreateTransform()?(input, inputFormat, output, outputFormat, intent, flags)
    }
    guard let from = bytes(of: input), let to = bytes(of: output) else { return create() }
    let key = Key(
      input: from, output: to, inputFormat: inputFormat, outputFormat: outputFormat,
      intent: intent, flags: flags)
    if let known = made.withLock({ $0.transforms[key] }) {
      return UnsafeMutableRawPointer(bitPattern: known)
    }
    // Creating it may create others.
    guard let transform = create() else { return nil }
    made.withLock { made in
      let size = from.count + to.count
      guard size <= made.room, made.transforms[key] == nil else { return }
      made.room -= size
      made.transforms[key] = UInt(bitPattern: transform)
    }
    return transform
  }

  fileprivate static func delete(_ transform: UnsafeMutableRawPointer?) {
    let address = UInt(bitPattern: transform)
    guard !made.withLock({ $0.transforms.values.contains(address) }) else { return }
    own_cmsDeleteTransform()?(transform)
  }

  /// The profile as a file; nil if it can't be written.
  private static func bytes(of profile: UnsafeMutableRawPointer?) -> [UInt8]? {
    var count: UInt32 = 0
    guard let profile, let save = own_cmsSaveProfileToMem(), save(profile, nil, &count) != 0,
      count > 0, count < 4 << 20
    else { return nil }
    var bytes = [UInt8](repeating: 0, count: Int(count))
    return save(profile, &bytes, &count) != 0 ? bytes : nil
  }
}

/// Replaces Little CMS' function (see `ColorTransforms`).
@_cdecl("cmsCreateTransform")
public func createColorTransform(
  _ input: UnsafeMutableRawPointer?, _ inputFormat: UInt32, _ output: UnsafeMutableRawPointer?,
  _ outputFormat: UInt32, _ intent: UInt32, _ flags: UInt32
) -> UnsafeMutableRawPointer? {
  ColorTransforms.create(input, inputFormat, output, outputFormat, intent, flags)
}

/// Replaces Little CMS' function (see `ColorTransforms`).
@_cdecl("cmsDeleteTransform")
public func deleteColorTransform(_ transform: UnsafeMutableRawPointer?) {
  ColorTransforms.delete(transform)
}
