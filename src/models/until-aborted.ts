/** What `work` gives, or the signal's reason as soon as it aborts; what `work` does after that goes unheard. */
export function untilAborted<Value>(work: PromiseLike<Value>, signal: AbortSignal): Promise<Value> {
  return new Promise((resolve, reject) => {
    const onAbort = () => reject(signal.reason)
    if (signal.aborted) onAbort()
    signal.addEventListener('abort', onAbort, { once: true })
    const letGo = () => signal.removeEventListener('abort', onAbort)
    work.then(resolve, reject).then(letGo, letGo)
  })
}
