/// An error in the value of an option, as a fragment of a sentence.
package struct OptionProblem: Error {
  package var description: String
}
