import { useState } from 'react';
import { useAddressParam } from '../../shared/address.ts';
import { askManagement } from '../../shared/api/arm.ts';
import { useAction } from '../../shared/api/use-action.ts';
import { Button } from '../../shared/ui/button.tsx';
import { TextField } from '../../shared/ui/field.tsx';
import { Row, Soft, Stack } from '../../shared/ui/layout.tsx';
import { Notice } from '../../shared/ui/notice.tsx';
import { containerPath, type FullGroup } from './api.ts';
import { ContainerChoice, useContainer } from './container-choice.tsx';
import { Screen, type Session, type Size } from './screen.tsx';

const SHELL = '/bin/sh';

/** A shell in a container, over the WebSocket that the exec operation of the API offers. */
export default function Terminal({ group }: { readonly group: FullGroup }) {
  const { container } = useContainer(group);
  const [command = SHELL, setCommand] = useAddressParam('shell');
  const [session, setSession] = useState<Session>();
  const [end, setEnd] = useState<string>();
  const [size, setSize] = useState<Size>({ rows: 24, cols: 80 });
  const name = container?.name ?? '';
  const connect = useAction(
    async () => {
      const { body } = await askManagement<{ readonly webSocketUri: string; readonly password: string }>(
        containerPath(group, name, 'exec'),
        { method: 'POST', body: { command, terminalSize: size } },
      );
      return { container: name, size, address: ownAddress(body.webSocketUri), password: body.password };
    },
    {
      inline: true,
      after: (opened) => {
        setEnd(undefined);
        setSession(opened);
      },
    },
  );
  const runs = container?.current.state === 'Running';
  const isOpen = session !== undefined && end === undefined;
  const ended = (reason: string): void => setEnd(reason);
  return (
    <Stack>
      <Row align="end">
        <ContainerChoice group={group} />
        <TextField
          label="Program"
          value={command}
          onChange={(value) => setCommand(value === SHELL ? undefined : value)}
          isMono
          error={connect.failure?.message}
          onEnter={() => void connect.run()}
        />
        {isOpen && session.container === name ? (
          <Button onPress={() => setSession(undefined)}>Disconnect</Button>
        ) : (
          <Button look="main" isDisabled={!runs || connect.isRunning} onPress={() => void connect.run()}>
            Connect
          </Button>
        )}
      </Row>
      {!runs && !isOpen && (
        <Notice tone="warning" title={`${name || 'The container'} does not run, so there is nothing to connect to.`} />
      )}
      {end !== undefined && <Notice title={end} />}
      <Screen session={session} onEnd={ended} onSize={setSize} />
      <Soft>
        {isOpen
          ? `${session.container}: ${session.size.cols} columns, ${session.size.rows} rows, until the next connection`
          : `${size.cols} columns, ${size.rows} rows`}
      </Soft>
    </Stack>
  );
}

/** The jar answers with the name under which it knows itself; the page has its own. */
function ownAddress(address: string): string {
  const { pathname, search } = new URL(address);
  return `${location.origin.replace(/^http/, 'ws')}${pathname}${search}`;
}
