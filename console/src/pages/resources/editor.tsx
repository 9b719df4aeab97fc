import { useState } from 'react';
import type { Action } from '../../shared/api/use-action.ts';
import { JsonEditor } from '../../shared/form/json-editor.tsx';
import { mistakesOf } from '../../shared/form/mistakes.ts';
import type { Members } from '../../shared/form/schema.ts';
import { isMembers } from '../../shared/form/schema.ts';
import { SchemaForm } from '../../shared/form/schema-form.tsx';
import { Button } from '../../shared/ui/button.tsx';
import { Row, Stack } from '../../shared/ui/layout.tsx';
import { Notice } from '../../shared/ui/notice.tsx';
import type { ArmDocument, ArmType } from './api.ts';

/** What a PUT takes of a document: its other members are the answer of the jar. */
export function editable(document: ArmDocument, { properties }: ArmType): Members {
  const names = new Set(properties.map(({ name }) => name));
  return Object.fromEntries(
    Object.entries(document).filter(([name, value]) => names.has(name) && value !== null && value !== undefined),
  );
}

/** The member with what belongs to the type. */
const OWN = 'properties';

interface Props {
  readonly as: 'form' | 'json';
  readonly type: ArmType;
  readonly value: Members;
  readonly onChange: (value: Members) => void;
  readonly save: Action<[]>;
  /** The button that sends it: `Save`. */
  readonly label: string;
  /** Undefined while there is nothing to undo. */
  readonly onUndo?: (() => void) | undefined;
  readonly isReady?: boolean;
  /** Fields that are shown elsewhere. */
  readonly without?: readonly string[];
}

/** A document as a form or as JSON, with the mistakes that the jar found in it. */
export function Editor({ as, type, value, onChange, save, label, onUndo, isReady = true, without = [] }: Props) {
  const [isValid, setValid] = useState(true);
  const mistakes = mistakesOf(save.failure);
  // What belongs to the type comes before what all types have.
  const properties = type.properties
    .filter(({ name }) => !without.includes(name))
    .toSorted((a, b) => Number(b.name === OWN) - Number(a.name === OWN));
  const shown = [...(as === 'form' ? properties.map(({ name }) => name) : []), ...without];
  return (
    <Stack>
      {mistakes.besides(shown).map((message) => (
        <Notice key={message} tone="failure" title={message} />
      ))}
      {as === 'form' ? (
        <SchemaForm
          properties={properties}
          schemas={type.schemas}
          value={value}
          onChange={onChange}
          mistakes={mistakes}
          opened={OWN}
        />
      ) : (
        <JsonEditor
          label="Document"
          rows={22}
          value={value}
          onChange={(next) => onChange(isMembers(next) ? next : {})}
          onValid={setValid}
        />
      )}
      <Row>
        <Button look="main" isDisabled={!isReady || !isValid || save.isRunning} onPress={() => void save.run()}>
          {label}
        </Button>
        {onUndo && <Button onPress={onUndo}>Undo changes</Button>}
      </Row>
    </Stack>
  );
}
