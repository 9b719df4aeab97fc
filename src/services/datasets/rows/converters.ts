/** Compiled converters, by the tag of the schema that they are for. */
export class Converters {
  forget(): void {}
}
