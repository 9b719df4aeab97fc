import { createHash } from 'node:crypto';
import { PAGE_SCRIPT } from './script/index.ts';
import { PAGE_STYLE } from './style.ts';

export interface Asset {
  /** Includes a digest of the content. */
  readonly name: string;
  readonly contentType: string;
  readonly content: string;
}

function asset(stem: string, extension: string, contentType: string, content: string): Asset {
  const digest = createHash('sha256').update(content).digest('hex').slice(0, 16);
  return { name: `${stem}.${digest}.${extension}`, contentType, content };
}

export const SCRIPT = asset('mail', 'js', 'text/javascript; charset=utf-8', PAGE_SCRIPT);
export const STYLE = asset('mail', 'css', 'text/css; charset=utf-8', PAGE_STYLE);
export const ASSETS: readonly Asset[] = [SCRIPT, STYLE];
