# Writes FOLDER/Checkout.swift, but only if it changes, so that nothing is recompiled needlessly.
# usage: describe.sh PACKAGE FOLDER
name=$(git -C "$1" describe --tags --always 2> /dev/null | tr -dc 'A-Za-z0-9._-')
value=nil
[ -z "$name" ] || value="\"$name\""
text="/// What git calls the checkout that this was built from.
enum Checkout {
  static let described: String? = $value
}"
[ "$(cat "$2/Checkout.swift" 2> /dev/null)" = "$text" ] || printf '%s\n' "$text" > "$2/Checkout.swift"
