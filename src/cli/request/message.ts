import { nodeHttp } from '../../kernel/http/node-http.ts';

/** An answer of `GET /_jar/requests/{id}`, as far as it is printed. */
export interface ShownRequest {
  readonly id: string;
  readonly direction: 'inbound' | 'outbound';
  readonly at: string;
  readonly method: string;
  readonly path?: string;
  readonly target?: string;
  readonly service: string;
  readonly status?: number;
  readonly ms: number;
  readonly caller?: string;
  readonly fault?: string;
  readonly repeats?: string;
  readonly error?: { readonly code?: string; readonly message?: string };
  readonly delivery?: { readonly id: string };
  readonly request?: Message;
  readonly response?: Message;
  readonly details?: 'dropped';
}

interface Message {
  readonly headers: Readonly<Record<string, string | readonly string[]>>;
  readonly body?: string;
  readonly bodyBytes?: number;
  readonly bodyCut?: true;
  readonly bodyOmitted?: keyof typeof OMITTED;
}

const OMITTED = {
  binary: 'the body is not text',
  stream: 'the body was a stream, which is not kept',
  unread: 'the jar answered before it read the body',
  secret: 'the body contains secrets',
} as const;

/** A request and its answer as HTTP messages. Lines that begin with `#` are remarks. */
export function httpMessages(shown: ShownRequest): string {
  const { method, path, target, request, response, status } = shown;
  const lines = [...remarks(shown), `${method} ${path ?? target} HTTP/1.1`, ...(request ? messageLines(request) : [])];
  if (status !== undefined) {
    const reason = nodeHttp.STATUS_CODES[status];
    lines.push('', `HTTP/1.1 ${status}${reason === undefined ? '' : ` ${reason}`}`);
  }
  if (response) lines.push(...messageLines(response));
  return lines.join('\n');
}

function remarks({ id, at, service, ms, ...shown }: ShownRequest): string[] {
  const { caller, fault, repeats, error, delivery, details, status } = shown;
  const told = [error?.code, error?.message].filter((part) => part !== undefined).join(': ');
  return [
    `# ${id}  ${at}  ${service}  ${ms} ms${caller === undefined ? '' : `  ${caller}`}`,
    repeats !== undefined && `# repeats ${repeats}`,
    fault !== undefined && `# fault ${fault}`,
    told !== '' && `# ${told}`,
    status === undefined && '# there was no answer',
    details === 'dropped' && '# headers and bodies are no longer kept',
    delivery && `# a delivery: cloudjar deliveries show ${delivery.id}`,
  ].filter((line) => typeof line === 'string');
}

function messageLines({ headers, body, bodyBytes, bodyCut, bodyOmitted }: Message): string[] {
  const lines = Object.entries(headers).flatMap(([name, value]) => [value].flat().map((each) => `${name}: ${each}`));
  const size = bodyBytes === undefined ? '' : ` (${bodyBytes} bytes)`;
  if (body !== undefined) lines.push('', body);
  if (bodyCut) lines.push(`# the body is cut${size}`);
  if (bodyOmitted !== undefined) lines.push('', `# ${OMITTED[bodyOmitted]}${size}`);
  return lines;
}
