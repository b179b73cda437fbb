import type { LanguageModelV4StreamPart } from '@ai-sdk/provider'
import type { AnsweredPart, DriverPart, ProviderData } from '../core/driver.ts'
import { readFinish, toFinishReason, toUsage } from './finish.ts'
import { toProviderData } from './provider-data.ts'

type StreamPartOf<Type extends LanguageModelV4StreamPart['type']> = Extract<
  LanguageModelV4StreamPart,
  { type: Type }
>
type ToolCallPart = StreamPartOf<'tool-call'>

interface Said {
  readonly kind: 'text' | 'reasoning'
  text: string
  provider: ProviderData | undefined
}

interface Proposed {
  readonly kind: 'call'
  readonly modelCallId: string
  readonly name: string
  /** Absent until the provider gives the whole call. */
  argumentsText: string | undefined
  provider: ProviderData | undefined
}

/** What the provider gives in one piece. */
interface Whole {
  readonly kind: 'whole'
  readonly part: AnsweredPart
}

/**
 * One answer as it streams in. Places are given out when a part begins, so the answer keeps the order in which the
 * model spoke, also when calls are written side by side and end in another order.
 */
export class Answer {
  private readonly places: (Said | Proposed | Whole)[] = []
  private readonly open = new Map<string, Said>()
  private readonly fromModel: (sent: string) => string | undefined

  /** `fromModel` gives the tool of a name that the model was shown; any other name stands as the model wrote it. */
  constructor(fromModel: (sent: string) => string | undefined = () => undefined) {
    this.fromModel = fromModel
  }

  text(kind: 'text' | 'reasoning', id: string, delta: string, metadata: unknown): DriverPart[] {
    const said = this.open.get(`${kind} ${id}`) ?? this.begin(kind, id, undefined)
    said.text += delta
    // The last word of a provider on a part replaces what it said of it before.
    said.provider = toProviderData(metadata) ?? said.provider
    return delta === '' ? [] : [{ type: kind, delta }]
  }

  begin(kind: 'text' | 'reasoning', id: string, metadata: unknown): Said {
    const said: Said = { kind, text: '', provider: toProviderData(metadata) }
    this.places.push(said)
    this.open.set(`${kind} ${id}`, said)
    return said
  }

  announce(modelCallId: string, sent: string): DriverPart[] {
    const name = this.fromModel(sent) ?? sent
    this.places.push({ kind: 'call', modelCallId, name, argumentsText: undefined, provider: undefined })
    return [{ type: 'call', modelCallId, name }]
  }

  /** Takes a call that the provider declares whole; nothing else makes one, however well a part of it parses. */
  call(part: ToolCallPart): DriverPart[] {
    const news = this.placeOf(part) === undefined ? this.announce(part.toolCallId, part.toolName) : []
    const place = this.placeOf(part)
    if (place !== undefined) {
      place.argumentsText = toArgumentsText(part.input)
      place.provider = toProviderData(part.providerMetadata)
    }
    return news
  }

  /** Takes parts that came whole. */
  add(parts: readonly AnsweredPart[]): DriverPart[] {
    for (const part of parts) this.places.push({ kind: 'whole', part })
    return []
  }

  finish(part: StreamPartOf<'finish'>): DriverPart[] {
    const { unified, raw } = readFinish(part.finishReason)
    const news = this.unfinishedCalls()
    news.push({
      type: 'finish',
      reason: toFinishReason(unified),
      parts: this.places.flatMap(toAnsweredPart),
      usage: toUsage(part.usage),
      ...(raw !== undefined && { rawReason: raw }),
    })
    return news
  }

  private placeOf(part: ToolCallPart): Proposed | undefined {
    return this.places.find(
      (place): place is Proposed =>
        place.kind === 'call' &&
        place.argumentsText === undefined &&
        place.modelCallId === part.toolCallId &&
        place.name === (this.fromModel(part.toolName) ?? part.toolName),
    )
  }

  private unfinishedCalls(): DriverPart[] {
    return this.places.flatMap((place) =>
      place.kind === 'call' && place.argumentsText === undefined
        ? [
            {
              type: 'warning',
              message: `A call of ${place.name} was begun and never completed; it is left out.`,
            },
          ]
        : [],
    )
  }
}

function toAnsweredPart(place: Said | Proposed | Whole): AnsweredPart[] {
  if (place.kind === 'whole') return [place.part]
  const provider = place.provider === undefined ? {} : { provider: place.provider }
  if (place.kind !== 'call') {
    return place.text === '' && place.provider === undefined
      ? []
      : [{ kind: place.kind, text: place.text, ...provider }]
  }
  const { modelCallId, name, argumentsText } = place
  return argumentsText === undefined ? [] : [{ kind: 'call', modelCallId, name, argumentsText, ...provider }]
}

/** The interface says text; providers of the field's long tail hand over what they parsed. */
function toArgumentsText(input: unknown): string {
  return typeof input === 'string' ? input : (JSON.stringify(input) ?? '')
}
