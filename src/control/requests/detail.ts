import {
  type KeptBody,
  type RequestEntry,
  type RequestLog,
  redactBody,
  redactHeaders,
} from '../../kernel/telemetry/index.ts';
import { present, requestView } from './view.ts';

/** A request with its headers and bodies. Secrets are removed here, when somebody looks, and not with every request. */
export function requestDetail(log: RequestLog, entry: RequestEntry, id: string): object {
  const details = log.details(entry);
  const view = requestView(entry, id);
  if (details === undefined) return view;
  if (details === 'dropped') return { ...view, details };
  const { headers, body, answer, hasSecretBodies } = details;
  return {
    ...view,
    request: messageView(headers, body, hasSecretBodies),
    ...(answer && { response: messageView(answer.headers, answer.body, hasSecretBodies) }),
  };
}

function messageView(raw: readonly string[], body: KeptBody, isSecret: boolean): object {
  const headers = redactHeaders(raw);
  return { headers, ...present(bodyView(body, isSecret, headers)) };
}

type Headers = Readonly<Record<string, string | string[]>>;

function bodyView({ content, bytes, isCut, omitted }: KeptBody, isSecret: boolean, headers: Headers) {
  if (omitted !== undefined) return { bodyBytes: bytes, bodyOmitted: omitted };
  if (content === undefined) return {};
  if (isSecret) return { bodyBytes: bytes, bodyOmitted: 'secret' };
  const mediaType = String(headers['content-type'] ?? '');
  const text = isCoded(headers) || HAS_FILES.test(mediaType) ? undefined : textOf(content, isCut === true);
  if (text === undefined) return { bodyBytes: bytes, bodyOmitted: 'binary' };
  return { body: redactBody(text, mediaType), bodyBytes: bytes, bodyCut: isCut };
}

/** Parts of such a form are named in a way that redaction does not know. */
const HAS_FILES = /^multipart\/form-data/i;

const isCoded = ({ 'content-encoding': coding = 'identity' }: Headers): boolean => !/^identity$/i.test(String(coding));

/** Without a character that was cut; undefined if it is not text. */
function textOf(content: Buffer, isCut: boolean): string | undefined {
  try {
    const text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(content, { stream: isCut });
    return text.includes('\0') ? undefined : text;
  } catch {
    return undefined;
  }
}
