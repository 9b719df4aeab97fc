/**
 * Lets a library create style elements: while `body` runs, they get the nonce of the page, without which its content security policy ignores
 * them. The library has no option for it.
 */
export function withNonce(body: () => void): void {
  const nonce = document.querySelector<HTMLMetaElement>('meta[property="csp-nonce"]')?.nonce ?? '';
  const create = Document.prototype.createElement;
  document.createElement = (name: string, options?: ElementCreationOptions): HTMLElement => {
    const made = create.call(document, name, options);
    if (made instanceof HTMLStyleElement) made.nonce = nonce;
    return made;
  };
  try {
    body();
  } finally {
    // The method of the prototype again.
    Reflect.deleteProperty(document, 'createElement');
  }
}
