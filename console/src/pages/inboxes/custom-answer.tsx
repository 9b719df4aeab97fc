import { useState } from 'react';
import { useAction } from '../../shared/api/use-action.ts';
import { Button } from '../../shared/ui/button.tsx';
import { Dialog } from '../../shared/ui/dialog.tsx';
import { TextField } from '../../shared/ui/field.tsx';
import { Row } from '../../shared/ui/layout.tsx';
import type { Behaviour, WantedBehaviour } from './api.ts';
import { bodyOfText, headersOfText, textOfBody, textOfHeaders } from './wanted.ts';

interface Props {
  readonly behaviour: Behaviour;
  readonly close: () => void;
  readonly save: (wanted: WantedBehaviour) => Promise<Behaviour>;
  readonly after: () => void;
}

/** The answer to everything that neither fails nor is a handshake: status, headers and body. */
export function CustomAnswer({ behaviour, close, save, after }: Props) {
  const [status, setStatus] = useState(String(behaviour.status));
  const [headers, setHeaders] = useState(textOfHeaders(behaviour.headers));
  const [body, setBody] = useState(textOfBody(behaviour.body));
  const put = useAction(
    (given: { status: number; headers: Record<string, string>; body: unknown }) => save(given as WantedBehaviour),
    {
      inline: true,
      after: () => {
        after();
        close();
      },
    },
  );
  const { failure } = put;
  const errorAt = (target: string): string | undefined =>
    failure?.target?.startsWith(target) ? failure.message : undefined;
  const isElsewhere = failure && !['status', 'headers', 'body'].some((target) => failure.target?.startsWith(target));
  const run = (): void => {
    if (!put.isRunning)
      void put.run({ status: Number(status), headers: headersOfText(headers), body: bodyOfText(body) });
  };
  return (
    <Dialog title="Other answer" close={close}>
      <TextField
        label="Status"
        type="number"
        value={status}
        onChange={setStatus}
        error={errorAt('status')}
        onEnter={run}
      />
      <TextField
        label="Headers"
        description="One in a line: retry-after: 5"
        rows={3}
        isMono
        value={headers}
        onChange={setHeaders}
        error={errorAt('headers')}
      />
      <TextField
        label="Body"
        description="JSON, or any text"
        rows={5}
        isMono
        value={body}
        onChange={setBody}
        error={errorAt('body') ?? (isElsewhere ? failure.message : undefined)}
      />
      <Row>
        <Button look="main" onPress={run}>
          Answer with this
        </Button>
        <Button
          onPress={() => {
            setStatus('200');
            setHeaders('');
            setBody('');
          }}
        >
          Back to 200 without a body
        </Button>
      </Row>
    </Dialog>
  );
}
