import type { operations } from '../../shared/api/generated/translator.ts';
import { askService } from '../../shared/api/service.ts';
import { CURL, quoted } from '../../shared/format/shell.ts';
import type { RowOf } from '../../shared/list/pages.ts';

type Answer<Operation extends keyof operations> = operations[Operation] extends {
  responses: { 200: { content: { 'application/json': infer Body } } };
}
  ? Body
  : never;

export type Detection = Answer<'Translator_Detect'>[number];
export type Candidate = NonNullable<Detection['alternatives']>[number];
export type Sentences = Answer<'Translator_BreakSentence'>[number];
export type LanguageLists = Answer<'Translator_Languages'>;
export type TranslatorKey = RowOf<'/_jar/translator/keys'>;

export const VERSION = 'api-version=3.0';

const bodyFor = (texts: readonly string[]) => texts.map((Text) => ({ Text }));

async function detect(texts: readonly string[], signal: AbortSignal): Promise<readonly Detection[]> {
  const { body } = await askService<Detection[]>(`/detect?${VERSION}`, {
    method: 'POST',
    body: bodyFor(texts),
    signal,
  });
  return body;
}

/** Without a language the jar detects it. */
async function breakSentences(
  texts: readonly string[],
  language: string | undefined,
  signal: AbortSignal,
): Promise<readonly Sentences[]> {
  const query = language === undefined ? VERSION : `${VERSION}&language=${encodeURIComponent(language)}`;
  const { body } = await askService<Sentences[]>(`/breaksentence?${query}`, {
    method: 'POST',
    body: bodyFor(texts),
    signal,
  });
  return body;
}

/** What the translator says about each text. */
export async function examine(texts: readonly string[], language: string | undefined, signal: AbortSignal) {
  const [detections, sentences] = await Promise.all([detect(texts, signal), breakSentences(texts, language, signal)]);
  return texts.flatMap((text, index) => {
    const detection = detections[index];
    return detection ? [{ text, detection, sentences: sentences[index] }] : [];
  });
}

export async function readLanguages(signal: AbortSignal): Promise<LanguageLists> {
  const { body } = await askService<LanguageLists>(`/languages?${VERSION}`, {
    headers: { 'accept-language': 'en' },
    anonymous: true,
    signal,
  });
  return body;
}

/** The same request on the command line. */
export function curlFor(operation: 'detect' | 'breaksentence', texts: readonly string[]): string {
  const body = quoted(JSON.stringify(bodyFor(texts)));
  return [
    `${CURL} '${location.origin}/${operation}?${VERSION}' -H "Ocp-Apim-Subscription-Key: $(npx cloudjar keys translator)"`,
    `  -H 'Content-Type: application/json' -d ${body}`,
  ].join(' \\\n');
}
