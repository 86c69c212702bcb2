/// The version of airprint: what `--version` prints, and printers are told in client-info.
package let productVersion = "0.1.0"
