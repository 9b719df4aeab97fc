import { WorkspaceClient } from '@databricks/sdk-experimental';
import type { Bench } from '../../../support/jars.ts';

/** The published client, as a user of the directory. */
export async function sdk(bench: Bench, user = 'admin'): Promise<WorkspaceClient> {
  return new WorkspaceClient({
    host: bench.jar.url,
    token: await bench.jar.token({ user, ttl: '3650d' }),
    authType: 'pat',
  });
}

export { withoutRates } from '../support.ts';

/** A form with a file, as clients send it. */
export function form(fields: Readonly<Record<string, string>>, file: { name: string; content: string }) {
  const boundary = 'form-boundary-7f3a';
  const parts = Object.entries(fields).map(
    ([name, value]) => `--${boundary}\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`,
  );
  const head = `Content-Disposition: form-data; name="${file.name}"; filename="a.bin"\r\nContent-Type: application/octet-stream`;
  const body = `--${boundary}\r\n${head}\r\n\r\n${file.content}\r\n${parts.join('')}--${boundary}--\r\n`;
  return { body, headers: { 'content-type': `multipart/form-data; boundary=${boundary}` } };
}

export const base64 = (text: string): string => Buffer.from(text).toString('base64');
