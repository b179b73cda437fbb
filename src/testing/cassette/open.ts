/** A part of a cassette while it is being recorded: the same, with everything in it free to change. */
export type Open<Value> = Value extends readonly (infer Item)[]
  ? Open<Item>[]
  : Value extends object
    ? { -readonly [Key in keyof Value]: Open<Value[Key]> }
    : Value
