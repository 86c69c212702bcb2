@main struct Airprint { static func main() {} }
