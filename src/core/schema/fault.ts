import type { JsonValue } from '../json/value.ts'

/** One thing that is wrong with a value. `pointer` is a JSON pointer (RFC 6901), '' for the value itself. */
export interface Fault {
  readonly pointer: string
  /** A plain sentence without a full stop, for example `/quantity must be an integer`. */
  readonly message: string
}

/** One lossless conversion that was made because the value did not validate as it was written. */
export interface Coercion {
  readonly pointer: string
  readonly from: JsonValue
  readonly to: JsonValue
}

/** More faults than these help nobody to repair a call. */
const faultsMax = 50

/** A value of another type, or none of the listed values. */
export type Mismatch = 'type' | 'value'

/** Collects faults: each only once, the first fifty in full, the rest as a count. */
export class FaultList {
  private readonly seen = new Set<string>()
  private readonly mismatches = new Map<string, Mismatch>()
  private readonly kept: Fault[] = []
  private surplus = 0

  add(fault: Fault): void {
    if (this.kept.length >= faultsMax) {
      this.surplus += 1
      return
    }
    if (this.seen.has(fault.message)) return
    this.seen.add(fault.message)
    this.kept.push(fault)
  }

  /** Adds a fault that says: this is a value of another kind, so that another branch of a union may be meant. */
  addMismatch(fault: Fault, mismatch: Mismatch): void {
    this.mismatches.set(fault.pointer, mismatch)
    this.add(fault)
  }

  /** Whether a value of another kind stands at the pointer. */
  isMismatchAt(pointer: string): boolean {
    return this.mismatches.has(pointer)
  }

  /** Whether a member or element of the value at the pointer is none of the listed values: a discriminator differs. */
  isOtherValueBelow(pointer: string): boolean {
    return [...this.mismatches].some(
      ([place, mismatch]) => mismatch === 'value' && place.slice(0, place.lastIndexOf('/')) === pointer,
    )
  }

  all(): readonly Fault[] {
    return this.surplus === 0
      ? this.kept
      : [...this.kept, { pointer: '', message: `and ${this.surplus} more` }]
  }
}

/** A fault with the place as its subject: `/page` and `is required`. */
export function faultAt(pointer: string, text: string): Fault {
  return { pointer, message: `${subjectOf(pointer)} ${text}` }
}

/** What a sentence calls the place. */
export function subjectOf(pointer: string): string {
  return pointer === '' ? 'the value' : pointer
}
