const TABLED_LENGTHS = 1024;

/** Bytes that one element costs, by its length: a table for short ones, the formula for the rest. */
export class LengthCost {
  private readonly tabled = new Float64Array(TABLED_LENGTHS + 1);
  private readonly formula: (length: number) => number;

  constructor(formula: (length: number) => number) {
    this.formula = formula;
    for (let length = 0; length <= TABLED_LENGTHS; length++) this.tabled[length] = formula(length);
  }

  /** Not always an integer: what is random in the server is an expected value here. */
  of(length: number): number {
    return length <= TABLED_LENGTHS ? this.tabled[length]! : this.formula(length);
  }
}
