import { describe, expect, it } from 'vitest';
import { htmlToText, preview, textToHtml } from '../../../../src/services/mail/mime/text.ts';
import { uniquePart } from '../../../../src/services/mail/mime/unique-part.ts';

describe('text of HTML', () => {
  it.each([
    ['<p>one</p><p>two</p>', 'one\n\ntwo'],
    ['<div>one</div><div>two</div>', 'one\ntwo'],
    ['one<br>two<br/>three', 'one\ntwo\nthree'],
    ['  one \r\n  two\t<b> three</b>  ', 'one two three'],
    ['<ul><li>a</li><li>b</li></ul>c', '* a\n* b\n\nc'],
    ['<table><tr><td>a</td><td>b</td></tr><tr><td>c</td></tr></table>', 'a b\nc'],
    ['<pre>a\n  b</pre>c', 'a\n  b\n\nc'],
    [
      'a &amp; b &lt;c&gt; &eacute;&#233;&#xe9; &nbsp;x &unknown; &amp;lt; &#0;',
      'a & b <c> ééé  x &unknown; &lt; &#0;',
    ],
    ['<style>p { color: red }</style><script>if (a < b) c("</p>")</script>text', 'text'],
    ['<title>t</title><!-- c <p> -->text<!doctype html>', 'text'],
    ['<!-- never closed <p>text', 'text'],
    ['1 < 2 and 3 > 2 <3', '1 < 2 and 3 > 2 <3'],
    [
      '<a href="https://a.example/x">here</a> and <a href="https://a.example">https://a.example</a>',
      'here<https://a.example/x> and https://a.example',
    ],
    ['<a href="javascript:alert(1)">here</a>', 'here'],
    ['<img alt="A &amp; B" src=x><hr>end', 'A & B\n________________________________\nend'],
    ['<a title="a > b" href=\'https://a.example\'>x</a>', 'x<https://a.example>'],
    ['<p title="never closed>text</p>more', 'text\n\nmore'],
    ['', ''],
  ])('%j is %j', (html, text) => {
    expect(htmlToText(html)).toBe(text);
  });

  it.each([
    ['<', 100_000],
    ['<a', 50_000],
    ['<a ', 50_000],
    ['<a href="', 20_000],
    ["<a b='", 20_000],
    ['<!--', 30_000],
    ['<div>', 30_000],
    ['<style>', 20_000],
    ['<a href=x>', 20_000],
    ['&amp', 30_000],
    ['&#', 50_000],
    ['</', 50_000],
    ['<pre>', 20_000],
    ['\n', 200_000],
    ['> ', 50_000],
    ['On ', 30_000],
  ])('ends for %j, %i times', (piece, count) => {
    const html = piece.repeat(count);
    expect(typeof htmlToText(html)).toBe('string');
    expect(typeof uniquePart(html, 'html')).toBe('string');
    expect(typeof uniquePart(html, 'text')).toBe('string');
    expect(preview(html).length).toBeLessThanOrEqual(255);
  });

  it('stops early if only the beginning is needed', () => {
    expect(htmlToText('<p>word</p>'.repeat(100_000), 300).length).toBeLessThan(1_000);
  });
});

describe('HTML of text', () => {
  it('shows the same text, and no markup of it', () => {
    const text = 'a < b & "c"\r\n  indented\n<script>alert(1)</script>';
    const html = textToHtml(text);
    expect(html).toBe(
      '<div>a &lt; b &amp; &quot;c&quot;<br>\n &nbsp;indented<br>\n&lt;script&gt;alert(1)&lt;/script&gt;</div>',
    );
    expect(htmlToText(html)).toBe('a < b & "c"\n indented\n<script>alert(1)</script>');
  });
});

describe('the preview of a text', () => {
  it('is its first 255 characters with white space joined', () => {
    expect(preview(' a\r\n\r\n b\tc ')).toBe('a b c');
    expect(preview('x'.repeat(300))).toBe('x'.repeat(255));
  });

  it('does not end in half a character', () => {
    expect(preview('🎉'.repeat(200))).toBe('🎉'.repeat(127));
  });
});

describe('the unique part of a body', () => {
  it.each([
    ['Fine.\n\nOn Mon, Jan 5, 2026 at 9:00 AM Ann <ann@a.example> wrote:\n> Shall we?', 'Fine.'],
    ['Fine.\n\nOn Mon, Jan 5, 2026 at 9:00 AM Ann Very Long Name\n<ann@a.example> wrote:\n> Shall we?', 'Fine.'],
    ['Gut.\n\nAm 05.01.2026 um 09:00 schrieb Ann:\n> Sollen wir?', 'Gut.'],
    ['Fine.\n\n-----Original Message-----\nFrom: Ann\nSent: Monday', 'Fine.'],
    ['Fine.\n\n________________________________\nFrom: Ann <ann@a.example>\nSent: Monday, January 5', 'Fine.'],
    ['Fine.\n\nFrom: Ann <ann@a.example>\nSent: Monday\nTo: Bob\n\nold', 'Fine.'],
    ['Fine.\n> quoted\n> quoted', 'Fine.'],
    ['> quoted\nFine.', '> quoted\nFine.'],
    ['From: the start it went well\nand on', 'From: the start it went well\nand on'],
    ['On Monday we wrote nothing', 'On Monday we wrote nothing'],
    ['', ''],
  ])('%j is %j', (text, unique) => {
    expect(uniquePart(text, 'text')).toBe(unique);
  });

  it.each([
    ['<div id="appendonsend"></div><hr>'],
    ['<div id="x_divRplyFwdMsg" dir="ltr">'],
    ['<div class="gmail_quote gmail_quote_container">'],
    ['<blockquote type="cite">'],
    ['<div class="moz-cite-prefix">'],
    ['<div style="border:none;border-top:solid #E1E1E1 1.0pt;padding:3.0pt">'],
    ['<div id="mail-editor-reference-message-container">'],
  ])('of HTML ends before %s', (mark) => {
    expect(uniquePart(`<html><body><p>Fine.</p>${mark}old</div></body></html>`, 'html')).toBe(
      '<html><body><p>Fine.</p></body></html>',
    );
  });

  it('of HTML without a quote is the whole', () => {
    const html = '<html><body><blockquote>mine</blockquote><div class="gmail_default">x</div></body></html>';
    expect(uniquePart(html, 'html')).toBe(html);
  });
});
