import { addressOf, useSegments } from '../../shared/address.ts';
import { Page } from '../../shared/ui/layout.tsx';
import { Sections } from '../../shared/ui/sections.tsx';
import { Keys } from './keys.tsx';
import { LanguageList } from './language-list.tsx';
import { Playground } from './playground.tsx';

const SECTIONS = [
  { path: 'playground', title: 'Playground', View: Playground },
  { path: 'languages', title: 'Languages', View: LanguageList },
  { path: 'keys', title: 'Keys', View: Keys },
] as const;

/** What the translator says about a text, the languages of the real service, and the keys of its clients. */
export default function Translator() {
  const [section = 'playground'] = useSegments('translator');
  const { View } = SECTIONS.find(({ path }) => path === section) ?? SECTIONS[0];
  return (
    <Page
      title="Translator"
      about="Detects the language of texts and finds their sentences. The jar does not translate: /translate answers 403."
      isFull={section === 'languages'}
    >
      <Sections
        label="Parts of the translator"
        sections={SECTIONS.map(({ path, title }) => ({
          title,
          address: path === 'playground' ? addressOf('translator') : addressOf('translator', path),
          isCurrent: path === section,
        }))}
      />
      <View />
    </Page>
  );
}
