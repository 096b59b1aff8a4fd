import { describe, expect, test } from 'vitest';
import { readMarkdown } from './markdown.ts';
import type { RichNode } from './rich-nodes.ts';
import { readXhtml } from './xhtml.ts';

/** As it would be written in HTML, with everything that reaches the screen. */
const written = (nodes: readonly RichNode[]): string =>
  nodes
    .map((node) => {
      if (typeof node === 'string') return node;
      const { tag, children, href, src, alt } = node;
      const given = Object.entries({ href, src, alt }).flatMap(([name, value]) =>
        value === undefined ? [] : [` ${name}=${value}`],
      );
      return `<${tag}${given.join('')}>${written(children)}${children.length > 0 ? `</${tag}>` : ''}`;
    })
    .join('');

describe('XHTML', () => {
  test.each([
    ['<div><p>Be <b>sure</b> to <i>rest</i>.</p></div>', '<p><p>Be <strong>sure</strong> to <em>rest</em>.</p></p>'],
    ['<ul><li>One</li><li>Two</li></ul>', '<ul><li>One</li><li>Two</li></ul>'],
    ['a<br/>b', 'a<br>b'],
    ['1 &lt; 2 &amp;&#160;&#x41;', '1 < 2 &\u00a0A'],
    ['<a href="https://example.org/a?b=1">here</a>', '<a href=https://example.org/a?b=1>here</a>'],
    ['<span style="color:red">red</span>', 'red'],
    ['<p>not closed <b>bold', '<p>not closed <strong>bold</strong></p>'],
    ['a </p></b> b', 'a  b'],
    ['1 < 2', '1 < 2'],
    ['<img src="data:image/png;base64,AAAA" alt="A face"/>', '<img src=data:image/png;base64,AAAA alt=A face>'],
  ])('%s', (source, expected) => expect(written(readXhtml(source))).toBe(expected));

  test.each([
    ['<script>alert(1)</script>a', 'a'],
    ['<style>p{background:url(https://example.org)}</style>a', 'a'],
    ['<img src="https://example.org/track.png" alt="x"/>a', 'a'],
    ['<img src="x" onerror="alert(1)"/>a', 'a'],
    ['<p onclick="alert(1)" style="position:fixed">a</p>', '<p>a</p>'],
    ['<a href="javascript:alert(1)">a</a>', 'a'],
    ['<a href=" jAvaScript:alert(1)">a</a>', 'a'],
    ['<a href="&#106;avascript:alert(1)">a</a>', 'a'],
    ['<iframe src="https://example.org"></iframe>a', 'a'],
    ['<svg><script>alert(1)</script></svg>a', 'a'],
    ['<form action="https://example.org"><input/>a</form>', 'a'],
    ['<!-- <b>no</b> -->a', 'a'],
    ['<img src="data:image/svg+xml;base64,AAAA"/>a', 'a'],
  ])('%s leaves nothing but its text', (source, expected) => expect(written(readXhtml(source))).toBe(expected));
});

test('XHTML that is nested thousands of times is read flat beyond 40 levels, with its text', () => {
  const text = written(readXhtml(`${'<div>'.repeat(6_000)}deep${'</div>'.repeat(6_000)}`));
  expect(text).toContain('deep');
  expect(text.split('<p>').length - 1).toBeLessThanOrEqual(40);
});

describe('markdown', () => {
  test.each([
    ['Be **sure** to *rest*, _now_.', '<p>Be <strong>sure</strong> to <em>rest</em>, <em>now</em>.</p>'],
    ['One\ntwo\n\nthree', '<p>One two</p><p>three</p>'],
    ['# Title\ntext', '<p><strong>Title</strong></p><p>text</p>'],
    ['- a\n- b\n  more\n\ntext', '<ul><li>a</li><li>b more</li></ul><p>text</p>'],
    ['1. a\n2. b', '<ol><li>a</li><li>b</li></ol>'],
    ['[here](https://example.org)', '<p><a href=https://example.org>here</a></p>'],
    ['[here](javascript:alert(1))', '<p>[here](javascript:alert(1))</p>'],
    ['[here](data:text/html,x)', '<p>here</p>'],
    ['![A face](https://example.org/a.png)', '<p>A face</p>'],
    ['<https://example.org>', '<p><a href=https://example.org>https://example.org</a></p>'],
    ['a  \nb', '<p>a<br>b</p>'],
    ['snake_case_name', '<p>snake_case_name</p>'],
    ['2 * 3 * 4', '<p>2 * 3 * 4</p>'],
    ['**open', '<p>**open</p>'],
    ['\\*no\\*', '<p>*no*</p>'],
    ['`<b>`', '<p><code><b></code></p>'],
    ['<script>alert(1)</script>', '<p><script>alert(1)</script></p>'],
  ])('%s', (source, expected) => expect(written(readMarkdown(source))).toBe(expected));

  test('a text of 20,000 signs is read in time that does not explode', () => {
    for (const sign of ['*', '_', '[', '`', '<', '**a', '[a](', '![', '<a "', '&#'])
      for (const read of [readMarkdown, readXhtml]) {
        const start = performance.now();
        read(sign.repeat(20_000 / sign.length));
        expect(performance.now() - start).toBeLessThan(5000);
      }
  });
});
