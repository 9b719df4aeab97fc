import { useState } from 'react';
import { mistakesOf } from '../../shared/form/mistakes.ts';
import { SchemaForm } from '../../shared/form/schema-form.tsx';
import { Choice } from '../../shared/ui/choice.tsx';
import { TextField } from '../../shared/ui/field.tsx';
import { Stack } from '../../shared/ui/layout.tsx';
import { type Body, JSON_TYPE } from './operation.ts';

interface Props {
  readonly body: Body;
  readonly text: string;
  readonly onChange: (text: string) => void;
}

const VIEWS = [
  { value: 'text', label: 'Text' },
  { value: 'form', label: 'Form' },
] as const;
const NONE = mistakesOf(undefined);

/** The body as it is sent; a document also as a form. */
export function BodyFields({ body, text, onChange }: Props) {
  const [view, setView] = useState<'text' | 'form'>('text');
  const isJson = body.contentType === JSON_TYPE;
  const { problem, value } = isJson ? parsed(text) : { problem: undefined, value: undefined };
  const hasForm = isJson && body.properties.length > 0;
  return (
    <Stack>
      {hasForm && <Choice label="The body as" value={view} choices={VIEWS} onChange={setView} />}
      {hasForm && view === 'form' && problem === undefined ? (
        <SchemaForm
          properties={body.properties}
          schemas={body.schemas}
          value={value}
          onChange={(next) => onChange(JSON.stringify(next, null, 2))}
          mistakes={NONE}
          opened="properties"
        />
      ) : (
        <TextField
          label="Body"
          hideLabel
          value={text}
          onChange={onChange}
          rows={Math.min(16, Math.max(4, text.split('\n').length))}
          isMono
          // It is sent nevertheless: how the jar answers to it may be what a person wants to see.
          {...(problem !== undefined && { description: `Not JSON: ${problem}` })}
        />
      )}
    </Stack>
  );
}

function parsed(text: string): { readonly problem: string | undefined; readonly value: unknown } {
  if (text.trim() === '') return { problem: undefined, value: undefined };
  try {
    return { problem: undefined, value: JSON.parse(text) };
  } catch (error) {
    return { problem: error instanceof Error ? error.message : String(error), value: undefined };
  }
}
