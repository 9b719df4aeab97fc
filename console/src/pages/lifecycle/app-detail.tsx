import { addressOf, useGo } from '../../shared/address.ts';
import { useRemoval } from '../../shared/api/use-removal.ts';
import { CURL } from '../../shared/format/shell.ts';
import { Time } from '../../shared/format/time.tsx';
import { useMayChange } from '../../shared/session.ts';
import { Badge } from '../../shared/ui/badge.tsx';
import { Confirm } from '../../shared/ui/confirm.tsx';
import { CopyId } from '../../shared/ui/copy.tsx';
import { Detail } from '../../shared/ui/detail.tsx';
import { JsonView } from '../../shared/ui/json-view.tsx';
import { Facts, Stack } from '../../shared/ui/layout.tsx';
import { CodeBlock } from '../../shared/ui/notice.tsx';
import { Tabs } from '../../shared/ui/tabs.tsx';
import { Analytics } from './analytics.tsx';
import { type App, type AppName, lifecycle } from './api.ts';
import { Crashes } from './crashes.tsx';
import { Tokens } from './tokens.tsx';

interface Props {
  readonly app: App;
  readonly name: AppName;
}

export function AppDetail({ app, name }: Props) {
  const go = useGo();
  const mayChange = useMayChange();
  const remove = useRemoval(() => lifecycle.DELETE('/v0.1/apps/{owner_name}/{app_name}', { params: { path: name } }), {
    done: 'The app was deleted.',
    after: () => go(addressOf('lifecycle'), { keep: true }),
  });
  return (
    <Detail
      kind="App"
      title={app.display_name}
      badges={
        <>
          <Badge>{app.os}</Badge>
          <Badge>{app.platform}</Badge>
          <CopyId id={app.id} />
        </>
      }
      actions={
        mayChange && (
          <Confirm
            label="Delete"
            question={`Delete ${app.display_name} with its crashes, events and tokens?`}
            onConfirm={() => void remove.run()}
          />
        )
      }
    >
      <Tabs
        label="App"
        tabs={[
          { id: 'crashes', title: 'Crashes', content: () => <Crashes name={name} /> },
          { id: 'analytics', title: 'Analytics', content: () => <Analytics name={name} /> },
          // Tokens that only read cannot see tokens.
          ...(mayChange ? [{ id: 'tokens', title: 'Tokens', content: () => <Tokens name={name} /> }] : []),
          { id: 'send', title: 'Send logs', content: () => <SendLogs app={app} mayChange={mayChange} /> },
          { id: 'json', title: 'JSON', content: () => <JsonView value={app} /> },
        ]}
      />
    </Detail>
  );
}

interface SendLogsProps {
  readonly app: App;
  readonly mayChange: boolean;
}

/** What an SDK needs to know, and the same with curl. With the secret anybody can send logs, so that readers do not get it. */
function SendLogs({ app: { app_secret, owner, created_at, name }, mayChange }: SendLogsProps) {
  return (
    <Stack>
      <Facts
        facts={[
          { label: 'Address', value: <CopyId id={location.origin} length={60} /> },
          ...(mayChange ? [{ label: 'App secret', value: <CopyId id={app_secret} length={60} /> }] : []),
          { label: 'Owner and name', value: `${owner.name}/${name}` },
          { label: 'Created', value: <Time at={created_at} /> },
        ]}
      />
      {mayChange && (
        <>
          <p>Give address and secret to the SDK of the app (setLogUrl), or send an event with curl:</p>
          <CodeBlock text={exampleFor(app_secret)} label="Copy the command" />
        </>
      )}
    </Stack>
  );
}

const exampleFor = (secret: string): string =>
  [
    `${CURL} '${location.origin}/logs?api-version=1.0.0' -H 'App-Secret: ${secret}'`,
    "  -H 'Install-ID: 7b1c2a5e-3f7d-4a52-9d0c-2f8f1f7f7a10' -H 'Content-Type: application/json'",
    `  -d '{"logs":[{"type":"event","name":"Bought","device":{"appVersion":"1.0"}}]}'`,
  ].join(' \\\n');
