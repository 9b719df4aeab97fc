import { getCACertificates, setDefaultCACertificates } from 'node:tls';

/**
 * Every TLS client of this thread that is given no authority of its own trusts this one too, beside those it trusted before. The function
 * that it gives takes that back once, whatever other jars were trusted in the meantime.
 */
export function trustAuthority(ca: string): () => void {
  setDefaultCACertificates([...getCACertificates('default'), ca]);
  let isTrusted = true;
  return () => {
    if (!isTrusted) return;
    isTrusted = false;
    const left = [...getCACertificates('default')];
    const at = left.findLastIndex((each) => each.trim() === ca.trim());
    if (at >= 0) left.splice(at, 1);
    setDefaultCACertificates(left);
  };
}
