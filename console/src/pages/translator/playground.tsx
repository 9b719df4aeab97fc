import { useEffect, useMemo, useState } from 'react';
import { Link } from 'wouter';
import { addressOf, useAddressParam } from '../../shared/address.ts';
import { useData } from '../../shared/api/use-data.ts';
import { count, counted } from '../../shared/format/numbers.ts';
import { classes } from '../../shared/style/class-names.ts';
import { ComboBox } from '../../shared/ui/combo-box.tsx';
import { Switch, TextField } from '../../shared/ui/field.tsx';
import { Row, Section, Soft, Stack } from '../../shared/ui/layout.tsx';
import { CodeBlock, FailureNotice } from '../../shared/ui/notice.tsx';
import { Tabs } from '../../shared/ui/tabs.tsx';
import { curlFor, examine, readLanguages } from './api.ts';
import styles from './playground.module.css';
import { TextResult } from './text-result.tsx';

const TYPING_MS = 300;
/** Longer texts are not kept in the address. */
const LONGEST_IN_ADDRESS = 1_000;

const EXAMPLE = 'Der Hund ist müde. Die Katze schläft nicht!';

/** A text, and what the translator says about it, while it is typed. */
export function Playground() {
  const [given, give] = useAddressParam('text');
  const [lines, setLines] = useAddressParam('lines');
  const [language, setLanguage] = useAddressParam('language');
  const [text, setText] = useState(given ?? EXAMPLE);
  const [asked, ask] = useState(text);
  useEffect(() => {
    if (text === asked) return undefined;
    const timer = setTimeout(() => {
      ask(text);
      give(text.length <= LONGEST_IN_ADDRESS ? text : undefined);
    }, TYPING_MS);
    return () => clearTimeout(timer);
  }, [text, asked, give]);
  const isByLine = lines !== undefined;
  const texts = useMemo(
    () => (isByLine ? asked.split('\n').filter((line) => line.trim() !== '') : [asked]),
    [asked, isByLine],
  );
  const isAsked = texts.some((each) => each.trim() !== '');
  const results = useData(['translator', 'results', texts, language], (signal) => examine(texts, language, signal), {
    enabled: isAsked,
    keepPrevious: true,
  });
  const languages = useData(['translator', 'languages'], readLanguages);
  const characters = [...text].length;
  const shown = isAsked ? (results.data ?? []) : [];
  return (
    <Stack>
      <TextField label="Text" value={text} onChange={setText} rows={5} placeholder="A text in any language" />
      <Row align="end">
        <ComboBox
          label="Language of the sentences"
          placeholder="Detected"
          value={language}
          onChange={setLanguage}
          choices={Object.entries(languages.data?.translation ?? {}).map(([value, { name }]) => ({
            value,
            label: `${name} (${value})`,
          }))}
        />
        <Switch
          label="Each line is a text of its own"
          isSelected={isByLine}
          onChange={(isOn) => setLines(isOn ? 'yes' : undefined)}
        />
        <Soft>
          {counted(characters, 'character')}; a request has up to 50,000 in 100 texts.{' '}
          <Link href={`${addressOf('limits')}?filter=translator`}>Limits</Link>
        </Soft>
      </Row>
      <FailureNotice failure={results.failure} what="The language" />
      <div className={classes(styles.results, results.isStale && styles.stale)}>
        {shown.map(({ text: of, detection, sentences }, index) => (
          <Section
            // biome-ignore lint/suspicious/noArrayIndexKey: a text is named by its place in the request
            key={index}
            title={shown.length > 1 ? `Text ${count(index + 1)}` : 'Result'}
          >
            <TextResult text={of} detection={detection} sentences={sentences} showsText={shown.length > 1} />
          </Section>
        ))}
      </div>
      {isAsked && (
        <Section title="The same with curl">
          <Tabs
            label="Requests"
            param="curl"
            tabs={[
              {
                id: 'detect',
                title: 'Detect',
                content: () => <CodeBlock text={curlFor('detect', texts)} label="Copy the command" />,
              },
              {
                id: 'sentences',
                title: 'Break sentences',
                content: () => <CodeBlock text={curlFor('breaksentence', texts)} label="Copy the command" />,
              },
            ]}
          />
        </Section>
      )}
    </Stack>
  );
}
