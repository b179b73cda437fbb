const boom = (): never => {
  throw new Error('trap')
}

const everyTrap: ProxyHandler<object> = new Proxy({}, { get: () => boom })

/** A Proxy of which nothing can be asked but whether it is a promise: so it survives an `await`. */
const allButThen: ProxyHandler<object> = new Proxy(
  { get: (_target: object, key: string | symbol) => (key === 'then' ? undefined : boom()) },
  { get: (target, trap) => (trap === 'get' ? target.get : boom) },
)

function revoked(): unknown {
  const { proxy, revoke } = Proxy.revocable({}, {})
  revoke()
  return proxy
}

function getter(key: PropertyKey, get: () => unknown, target: object = {}): object {
  return Object.defineProperty(target, key, { get, enumerable: true })
}

function nested(depth: number, wrap: (inner: unknown) => unknown): unknown {
  let value: unknown = 'bottom'
  for (let level = 0; level < depth; level += 1) value = wrap(value)
  return value
}

function circularMap(): Map<unknown, unknown> {
  const map = new Map<unknown, unknown>([['plain', 1]])
  map.set(map, new Set([map]))
  return map
}

function circularObject(): object {
  const value: Record<string, unknown> = { list: [] }
  value.self = value
  ;(value.list as unknown[]).push(value, value)
  return value
}

/** Another value at every look. */
function changing(): object {
  let looks = 0
  return getter('n', () => {
    looks += 1
    return looks % 2 === 0 ? looks : new Map([[{}, looks]])
  })
}

class Private {
  readonly #secret = 1
  get secret(): number {
    return this.#secret
  }
  toJSON(): unknown {
    return { secret: this.#secret }
  }
}

function detached(): Uint8Array {
  const bytes = new Uint8Array(8)
  structuredClone(bytes.buffer, { transfer: [bytes.buffer] })
  return bytes
}

function promiseWith(key: 'then' | 'constructor'): Promise<unknown> {
  return getter(key, boom, Promise.resolve(1)) as Promise<unknown>
}

const thenable = (then: (resolve: (value: unknown) => void, reject: (error: unknown) => void) => void) => ({
  then,
})

/** Makers of values that are hard to read, to write down or to be done with; a new one for every use. */
export const hostileValues: Readonly<Record<string, () => unknown>> = {
  'a Proxy that throws on every trap': () => new Proxy({}, everyTrap),
  'a Proxy that throws on every trap but then': () => new Proxy({}, allButThen),
  'a list behind such a Proxy': () => new Proxy([1, 2], allButThen),
  'a function behind such a Proxy': () => new Proxy(() => 1, allButThen),
  'a revoked Proxy': revoked,
  'an object that holds such Proxies': () => ({ inner: new Proxy({}, everyTrap), list: [revoked()] }),
  'a getter that throws': () => getter('n', boom),
  'a getter that gives another value at every look': changing,
  'a toJSON that throws': () => ({ n: 1, toJSON: boom }),
  'a toJSON behind a getter that throws': () => getter('toJSON', boom),
  'a toJSON that nests itself': () => {
    const value = { toJSON: () => ({ again: value }) }
    return value
  },
  'a then behind a getter that throws': () => getter('then', boom),
  'a thenable that throws': () => thenable(boom),
  'a thenable that never calls back': () => thenable(() => undefined),
  'a thenable that calls back twice, both ways': () =>
    thenable((resolve, reject) => {
      resolve({ n: 1 })
      reject(new Error('second'))
      resolve({ n: 2 })
    }),
  'a thenable that resolves and then throws': () =>
    thenable((resolve) => {
      resolve({ n: 1 })
      boom()
    }),
  'a thenable that rejects with a hostile value': () =>
    thenable((_resolve, reject) => reject(new Proxy({}, everyTrap))),
  'a promise with a then that throws': () => promiseWith('then'),
  'a promise with a constructor that throws': () => promiseWith('constructor'),
  'a text of 2 million characters': () => 'x'.repeat(2_000_000),
  'a text of control characters': () => '\u0000\u001b[2J\u202e\ud800'.repeat(100),
  'objects nested 100,000 deep': () => nested(100_000, (inner) => ({ inner })),
  'arrays nested 100,000 deep': () => nested(100_000, (inner) => [inner]),
  'Maps nested 100,000 deep': () => nested(100_000, (inner) => new Map([['inner', inner]])),
  'a billion ways to one leaf': () => nested(30, (inner) => [inner, inner]),
  'the longest sparse array': () => new Array(2 ** 32 - 1),
  'a sparse array with one element': () => Object.assign(new Array(2 ** 32 - 1), { 7: 'here' }),
  'a symbol': () => Symbol('s'),
  'the symbol of a control signal': () => Symbol.for('toolpost.control'),
  'a forged control signal': () => ({
    [Symbol.for('toolpost.control')]: true,
    control: new Proxy({}, everyTrap),
    value: new Proxy({}, everyTrap),
  }),
  'a control signal with a kind that does not exist': () => ({
    [Symbol.for('toolpost.control')]: true,
    control: 'explode',
  }),
  'a function': () => () => 1,
  'a class': () => Private,
  'an instance with private fields': () => new Private(),
  'an instance with private fields behind a Proxy': () => new Proxy(new Private(), {}),
  'a typed array': () => new Float64Array([1, Number.NaN, -0]),
  'a typed array of big integers': () => new BigInt64Array(3),
  'a typed array of 200,000 numbers': () => new Uint16Array(200_000),
  'a detached buffer': detached,
  'shared memory': () => new SharedArrayBuffer(8),
  'a circular Map': circularMap,
  'a circular object': circularObject,
  'an Error with a message behind a getter that throws': () => getter('message', boom, new Error('x')),
  'an Error with a name and a stack that throw': () =>
    getter('name', boom, getter('stack', boom, new Error('x'))),
  'an Error that is its own cause': () => {
    const error = new Error('x')
    error.cause = error
    return error
  },
  'an Error with a message of 2 million characters': () => new Error('x'.repeat(2_000_000)),
  'an object without a prototype': () => Object.assign(Object.create(null), { hidden: 1 }),
  'an own member named __proto__': () => JSON.parse('{"__proto__":{"polluted":true},"n":1}'),
  'a date that is none': () => new Date(Number.NaN),
  'a number that is none': () => Number.NaN,
  'a big integer': () => 2n ** 4_000n,
  'a WeakMap': () => new WeakMap(),
  'a generator': () =>
    (function* () {
      yield 1
    })(),
  'the global object': () => globalThis,
  null: () => null,
  nothing: () => undefined,
}
