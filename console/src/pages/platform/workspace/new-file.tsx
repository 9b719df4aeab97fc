import { useState } from 'react';
import { useAction } from '../../../shared/api/use-action.ts';
import { Button } from '../../../shared/ui/button.tsx';
import { TextField } from '../../../shared/ui/field.tsx';
import { Row, Section, Stack } from '../../../shared/ui/layout.tsx';
import { usePlatform } from '../api.ts';
import { useGoTo } from '../place.tsx';
import { segmentsOf, WORKSPACE } from './api.ts';

/** Writes a file or a notebook into a folder, or makes a folder. */
export function NewFile({ folder }: { readonly folder: string }) {
  const platform = usePlatform();
  const goTo = useGoTo();
  const [name, setName] = useState('');
  const [text, setText] = useState('');
  const path = `${folder === '/' ? '' : folder}/${name}`;
  const after = (): void => goTo('workspace', ...segmentsOf(path));
  const write = useAction(
    () => platform.post(`${WORKSPACE}/import`, { path, format: 'AUTO', overwrite: false, content: base64Of(text) }),
    { inline: true, after },
  );
  const makeFolder = useAction(() => platform.post(`${WORKSPACE}/mkdirs`, { path }), { inline: true, after });
  return (
    <Section title="New">
      <Stack>
        <TextField
          label="Name"
          value={name}
          onChange={setName}
          placeholder="load.py"
          error={(write.failure ?? makeFolder.failure)?.message}
        />
        <TextField
          label="Text"
          value={text}
          onChange={setText}
          rows={5}
          isMono
          description="A file that begins with “# Databricks notebook source” is a notebook."
        />
        <Row>
          <Button look="main" isDisabled={name === '' || write.isRunning} onPress={() => void write.run()}>
            Write the file
          </Button>
          <Button isDisabled={name === '' || makeFolder.isRunning} onPress={() => void makeFolder.run()}>
            Make a folder
          </Button>
        </Row>
      </Stack>
    </Section>
  );
}

const base64Of = (text: string): string =>
  btoa(Array.from(new TextEncoder().encode(text), (byte) => String.fromCharCode(byte)).join(''));
