import { policyHash } from '../../kernel/http/index.ts';
import { type BuiltFiles, openBuiltFiles } from '../files/built-files.ts';

/** The documentation site, which `npm run docs` builds. */
export const openSite = (folder?: string): BuiltFiles => openBuiltFiles({ name: 'docs', folder, pageHeaders });

const INLINE_SCRIPT = /<script(?![^>]*\ssrc=)[^>]*>([\s\S]*?)<\/script>/g;

/** Allows what a page has in it and nothing else. Styles are inline in highlighted code and in drawings. */
function pageHeaders(html: string): Readonly<Record<string, string>> {
  const hashes = [...html.matchAll(INLINE_SCRIPT)].map(([, script = '']) => policyHash(script));
  const policy = [
    "default-src 'none'",
    `script-src 'self' ${hashes.join(' ')}`,
    "style-src 'self' 'unsafe-inline'",
    "img-src 'self' data:",
    "font-src 'self'",
    "connect-src 'self'",
    "form-action 'none'",
    "base-uri 'none'",
    "frame-ancestors 'none'",
  ];
  return { 'content-security-policy': policy.join('; '), 'x-frame-options': 'DENY' };
}
