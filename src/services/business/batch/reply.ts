import { Stream } from 'node:stream';
import { type Answer, bodyBytes, headerName, isJsonType, nodeHttp } from '../../../kernel/http/index.ts';
import { uuid } from '../../../kernel/ids/index.ts';
import type { Outcome, StepOutcome } from './run.ts';

const JSON_TYPE = 'application/json; odata.metadata=minimal';

/** `{"responses": […]}`. */
export async function jsonReply(done: readonly StepOutcome[]): Promise<Answer> {
  const responses: unknown[] = [];
  for (const { step, outcomes } of done) {
    const group = step.kind === 'changeSet' ? step.id : undefined;
    for (const { item, answer } of outcomes) {
      const headers = headersOf(answer);
      responses.push({
        id: item.id ?? null,
        ...(group !== undefined && { atomicityGroup: group }),
        status: answer.status,
        headers,
        ...(answer.body !== undefined && { body: await jsonBody(answer.body, headers['content-type'] ?? '') }),
      });
    }
  }
  return { status: 200, headers: { 'content-type': JSON_TYPE }, body: { responses } };
}

/** Text stays text; other content is encoded in base64. */
async function jsonBody(body: unknown, type: string): Promise<unknown> {
  if (typeof body === 'string') return isJsonType(type) ? JSON.parse(body) : body;
  return body instanceof Stream || Buffer.isBuffer(body) ? (await bodyBytes(body)).toString('base64') : body;
}

/** `multipart/mixed`, with each successful change set as a nested multipart. */
export async function multipartReply(done: readonly StepOutcome[]): Promise<Answer> {
  const boundary = `batchresponse_${uuid()}`;
  const chunks: Buffer[] = [];
  for (const { step, outcomes, hasFailed } of done) {
    chunks.push(Buffer.from(`--${boundary}\r\n`));
    if (step.kind === 'changeSet' && !hasFailed) await writeChangeSet(chunks, outcomes);
    else for (const outcome of outcomes) await writeMessage(chunks, outcome);
  }
  chunks.push(Buffer.from(`--${boundary}--\r\n`));
  return {
    status: 200,
    headers: { 'content-type': `multipart/mixed; boundary=${boundary}` },
    body: Buffer.concat(chunks),
  };
}

async function writeChangeSet(chunks: Buffer[], outcomes: readonly Outcome[]): Promise<void> {
  const boundary = `changesetresponse_${uuid()}`;
  chunks.push(Buffer.from(`Content-Type: multipart/mixed; boundary=${boundary}\r\n\r\n`));
  for (const outcome of outcomes) {
    chunks.push(Buffer.from(`--${boundary}\r\n`));
    await writeMessage(chunks, outcome);
  }
  chunks.push(Buffer.from(`--${boundary}--\r\n`));
}

async function writeMessage(chunks: Buffer[], { item, answer }: Outcome): Promise<void> {
  const part = ['Content-Type: application/http', 'Content-Transfer-Encoding: binary'];
  if (item.id !== undefined) part.push(`Content-ID: ${oneLine(item.id)}`);
  const head = [`HTTP/1.1 ${answer.status} ${nodeHttp.STATUS_CODES[answer.status] ?? ''}`.trimEnd()];
  for (const [name, value] of Object.entries(headersOf(answer))) head.push(`${headerName(name)}: ${oneLine(value)}`);
  chunks.push(Buffer.from(`${part.join('\r\n')}\r\n\r\n${head.join('\r\n')}\r\n\r\n`));
  chunks.push(await bodyBytes(answer.body), Buffer.from('\r\n'));
}

/** Names are in lower case already; adds the headers that the family adds to a single answer. */
function headersOf({ headers = {}, body }: Answer): Record<string, string> {
  return { ...(body !== undefined && { 'content-type': JSON_TYPE }), 'odata-version': '4.0', ...headers };
}

const oneLine = (value: string): string => value.replace(/[\r\n]+/g, ' ');
