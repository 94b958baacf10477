/** A browser's storage: its entries are also its own properties. @param maxChars beyond it is full */
export function stubbedStorage(maxChars = Infinity): Pick<Storage, 'getItem' | 'setItem' | 'removeItem'> {
  const stored: Record<string, string> = {};
  const methods = {
    getItem: (name: string) => stored[name] ?? null,
    setItem(name: string, value: string) {
      const others = Object.entries(stored).filter(([other]) => other !== name);
      const chars = others.reduce((sum, [, text]) => sum + text.length, value.length);
      if (chars > maxChars) throw new DOMException('full', 'QuotaExceededError');
      stored[name] = value;
    },
    removeItem: (name: string) => void Reflect.deleteProperty(stored, name),
  };
  return new Proxy(methods, {
    get: (_target, name) => (methods as Record<PropertyKey, unknown>)[name] ?? stored[String(name)],
    ownKeys: () => Object.keys(stored),
    getOwnPropertyDescriptor: (_target, name) => ({
      value: stored[String(name)],
      enumerable: true,
      configurable: true,
    }),
  });
}
