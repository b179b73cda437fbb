import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { isHostError } from '../../../src/protocol/host-error.ts'
import { encodeEvent, heartbeatFrame } from '../../../src/protocol/stream/encode-event.ts'
import { EventStreamParser, type StreamFrame } from '../../../src/protocol/stream/event-stream-parser.ts'
import { chunksOf } from '../arbitrary-chunks.ts'

const encoder = new TextEncoder()

/** The frames that came before the end or the fault, and the fault's code. */
function readAll(
  chunks: readonly Uint8Array[],
  options?: { frameBytesMax?: number },
): { frames: StreamFrame[]; code?: string } {
  const parser = new EventStreamParser(options)
  const frames: StreamFrame[] = []
  try {
    for (const chunk of chunks) for (const frame of parser.read(chunk)) frames.push(frame)
    parser.end()
    return { frames }
  } catch (error) {
    if (!isHostError(error)) throw error
    return { frames, code: error.code }
  }
}

function readText(text: string, options?: { frameBytesMax?: number }) {
  return readAll([encoder.encode(text)], options)
}

describe('frames', () => {
  test('have an id, a type, and data of several lines', () => {
    expect(readText('id: 3\nevent: a\ndata: one\ndata:two\ndata\n\ndata:  x\n\n')).toEqual({
      frames: [{ id: '3', event: 'a', data: 'one\ntwo\n' }, { data: ' x' }],
    })
  })

  test('end with LF, CRLF and CR, mixed', () => {
    expect(readText('data: a\r\n\r\ndata: b\r\rdata: c\n\ndata: d\r\n\n').frames).toEqual(
      ['a', 'b', 'c', 'd'].map((data) => ({ data })),
    )
  })

  test('are not made of comments, of unknown fields, or of an id alone', () => {
    expect(readText(`\uFEFF${heartbeatFrame}retry: 5\n\nid: 7\n\ndata: a\n\n`)).toEqual({
      frames: [{ data: 'a' }],
    })
  })

  test('come before the fault that follows them in the same piece', () => {
    expect(readText('data: a\n\ndata: b')).toEqual({ frames: [{ data: 'a' }], code: 'INCOMPLETE_STREAM' })
    const bytes = new Uint8Array([...encoder.encode('data: a\n\ndata: '), 0xff, 10, 10])
    expect(readAll([bytes])).toEqual({ frames: [{ data: 'a' }], code: 'INVALID_STREAM' })
  })

  test('a byte order mark is only one at the beginning', () => {
    expect(readText('\uFEFFdata: a\n\n\uFEFFdata: b\n\ndata: \uFEFFc\n\n').frames).toEqual([
      { data: 'a' },
      { data: '\uFEFFc' },
    ])
  })

  test('half a byte order mark is no mark', () => {
    expect(readAll([new Uint8Array([0xef]), new Uint8Array([0xbb])]).code).toBe('INCOMPLETE_STREAM')
    expect(readAll([new Uint8Array([0xef]), new Uint8Array([0xbb, 10, 10])]).code).toBe('INVALID_STREAM')
  })

  test('a stream that ends in a comment, or right after a carriage return, is whole or not by its frames', () => {
    expect(readText('data: a\r\r')).toEqual({ frames: [{ data: 'a' }] })
    expect(readText(': heartbeat\n')).toEqual({ frames: [] })
    expect(readText(': heart').code).toBe('INCOMPLETE_STREAM')
    expect(readText('data: a\n').code).toBe('INCOMPLETE_STREAM')
    expect(readText('')).toEqual({ frames: [] })
  })
})

describe('the bound of a frame', () => {
  test('counts bytes with field names and comments, without line ends and byte order mark', () => {
    const frame = '\uFEFF: é\r\ndata: 1\r\n\r\n'
    expect(readText(frame, { frameBytesMax: 11 }).frames).toEqual([{ data: '1' }])
    expect(readText(frame, { frameBytesMax: 10 }).code).toBe('RESPONSE_TOO_LARGE')
  })

  test('holds for a frame that never ends, and begins anew with each frame', () => {
    expect(readText('data: 123456', { frameBytesMax: 11 }).code).toBe('RESPONSE_TOO_LARGE')
    expect(readText('data: 1\n\ndata: 2\n\n', { frameBytesMax: 7 }).frames).toHaveLength(2)
  })

  test('is two million bytes by default, whatever the number of characters', () => {
    const fits = `data: ${'𝄞'.repeat(499_998)}\n\n`
    expect(readText(fits).frames).toHaveLength(1)
    expect(readText(`data: ${'𝄞'.repeat(499_999)}\n\n`).code).toBe('RESPONSE_TOO_LARGE')
  })
})

describe('however a stream is cut', () => {
  const line = fc.constantFrom(
    'data: é',
    'data:𝄞',
    'data',
    'id: 4',
    'event: x',
    ': c',
    '\uFEFF',
    'data: \0',
    '',
    '',
  )
  const ending = fc.constantFrom('\n', '\r', '\r\n')
  const lines = fc.array(
    fc.tuple(line, ending).map((parts) => parts.join('')),
    { maxLength: 12 },
  )
  const text = fc.tuple(fc.constantFrom('', '\uFEFF'), lines, line)

  test('the same frames and the same fault come of it', () => {
    const bytes = fc.tuple(text, fc.option(fc.nat(255))).map(([[mark, all, last], stray]) => {
      const whole = encoder.encode(mark + all.join('') + last)
      return stray === null ? whole : Uint8Array.from([...whole, stray, 10, 10])
    })
    const cut = bytes.chain((whole) => fc.tuple(fc.constant(whole), chunksOf(whole)))
    fc.assert(
      fc.property(cut, fc.integer({ min: 3, max: 40 }), ([whole, chunks], frameBytesMax) => {
        expect(readAll(chunks, { frameBytesMax })).toEqual(readAll([whole], { frameBytesMax }))
      }),
      { numRuns: 500 },
    )
  })

  test('an event that was encoded is read as it was', () => {
    const event = fc.record({ type: fc.constant('text.delta'), text: fc.string({ unit: 'binary' }) })
    const cut = fc.array(event, { maxLength: 4 }).chain((events) => {
      const whole = encoder.encode(
        events.map((one, index) => encodeEvent(one, `${index}.0.0`)).join(heartbeatFrame),
      )
      return fc.tuple(fc.constant(events), chunksOf(whole))
    })
    fc.assert(
      fc.property(cut, ([events, chunks]) => {
        const { frames, code } = readAll(chunks)
        expect(code).toBeUndefined()
        expect(frames.map(({ id, event: name, data }) => [id, name, JSON.parse(data)])).toEqual(
          events.map((one, index) => [`${index}.0.0`, 'text.delta', one]),
        )
      }),
    )
  })
})

test('a piece may be used again as soon as it was read', () => {
  const parser = new EventStreamParser()
  const buffer = encoder.encode('data: one')
  expect([...parser.read(buffer)]).toEqual([])
  buffer.fill(120)
  expect([...parser.read(encoder.encode('\n\n'))]).toEqual([{ data: 'one' }])
})
