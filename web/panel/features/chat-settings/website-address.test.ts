import { expect, test } from 'vitest';
import { websiteOf } from './website-address.ts';

test.each([
  ['maple.example', 'https://maple.example'],
  [' https://Maple.example/contact?from=ad#top ', 'https://maple.example'],
  ['www.maple.example:443', 'https://www.maple.example'],
  ['http://localhost:8080', 'http://localhost:8080'],
  ['ärzte.example', 'https://xn--rzte-koa.example'],
])('%s is the website %s', (typed, origin) => expect(websiteOf(typed)).toBe(origin));

test.each([
  '',
  'maple',
  'maple street',
  'javascript:alert(1)',
  'ftp://maple.example',
  'https://',
  'front@maple.example',
])('"%s" is no website', (typed) => expect(websiteOf(typed)).toBeNull());
