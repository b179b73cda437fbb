/** A number as JSON writes it: an integer times a power of ten. */
interface Decimal {
  readonly digits: bigint
  readonly exponent: number
}

/** Whether a number is a whole multiple of another, counted in decimals as they are written: 4.02 is one of 0.01. */
export function isMultipleOf(value: number | bigint, divisor: number | bigint): boolean {
  const [left, right] = [decimalOf(value), decimalOf(divisor)]
  const exponent = Math.min(left.exponent, right.exponent)
  return scaled(left, exponent) % scaled(right, exponent) === 0n
}

function decimalOf(value: number | bigint): Decimal {
  if (typeof value === 'bigint') return { digits: value, exponent: 0 }
  const [mantissa = '0', power = '0'] = String(value).split('e')
  const [whole = '0', fraction = ''] = mantissa.split('.')
  return { digits: BigInt(whole + fraction), exponent: Number(power) - fraction.length }
}

function scaled(decimal: Decimal, exponent: number): bigint {
  return decimal.digits * 10n ** BigInt(decimal.exponent - exponent)
}
