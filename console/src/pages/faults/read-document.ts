import { bodyOf, CONSOLE_HEADERS } from '../../shared/api/control.ts';
import { failureOf } from '../../shared/api/failure.ts';

interface Document {
  readonly paths: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
}

/** The OpenAPI document of one service. */
export async function readControlDocument(service: string, signal: AbortSignal): Promise<Document> {
  const response = await fetch(`/_jar/openapi.json?service=${encodeURIComponent(service)}`, {
    headers: CONSOLE_HEADERS,
    signal,
  });
  const body = await bodyOf(response);
  if (!response.ok) throw failureOf(response.status, body);
  return body as Document;
}
