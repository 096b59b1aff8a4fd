import { expect, test } from 'vitest';
import { readS3 } from './s3-settings.ts';

const given = { S3_BUCKET: 'clinic-files', S3_ACCESS_KEY_ID: 'AKID', S3_SECRET_ACCESS_KEY: 'secret' };

test('readS3 needs only a bucket and its keys for AWS', () => {
  expect(readS3(given)).toEqual({
    bucket: 'clinic-files',
    region: 'us-east-1',
    endpoint: 'https://s3.us-east-1.amazonaws.com',
    addressing: 'virtual',
    prefix: '',
    accessKeyId: 'AKID',
    secretAccessKey: 'secret',
    encryption: undefined,
  });
  expect(readS3({})).toBeUndefined();
});

test('readS3 uses path addressing for another store, unless set otherwise', () => {
  const other = { ...given, S3_ENDPOINT: 'https://files.example.org/', S3_PREFIX: '/anteroom/prod/' };
  expect(readS3(other)).toMatchObject({
    endpoint: 'https://files.example.org',
    addressing: 'path',
    prefix: 'anteroom/prod/',
  });
  expect(readS3({ ...other, S3_ADDRESSING: 'virtual' })?.addressing).toBe('virtual');
  expect(readS3({ ...given, S3_BUCKET: 'files.clinic.org' })?.addressing).toBe('path');
  expect(readS3({ ...given, S3_ENDPOINT: 'http://127.0.0.1:9000' })?.endpoint).toBe('http://127.0.0.1:9000');
});

test.each([
  [{ S3_BUCKET: '', S3_ENDPOINT: 'https://files.example.org' }, /^S3_BUCKET is missing: with S3_/],
  [{ S3_BUCKET: '../etc' }, /^S3_BUCKET must/],
  [{ S3_SECRET_ACCESS_KEY: '' }, /^S3_SECRET_ACCESS_KEY is missing/],
  [{ S3_ACCESS_KEY_ID: '' }, /^S3_ACCESS_KEY_ID is missing/],
  [{ S3_ENDPOINT: 'http://files.example.org' }, /^S3_ENDPOINT must be an https/],
  [{ S3_ENDPOINT: 'https://files.example.org/bucket' }, /^S3_ENDPOINT must/],
  [{ S3_REGION: 'US East' }, /^S3_REGION must/],
  [{ S3_ADDRESSING: 'dns' }, /^S3_ADDRESSING must/],
  [{ S3_PREFIX: 'a/../b' }, /^S3_PREFIX must/],
  [{ S3_ENCRYPTION: 'rot13' }, /^S3_ENCRYPTION must/],
  [{ S3_KMS_KEY: 'arn' }, /^S3_KMS_KEY goes with/],
])('readS3 refuses %j with an explanation that does not contain the secret', (wrong, reason) => {
  expect(() => readS3({ ...given, ...wrong })).toThrow(reason);
  expect(() => readS3({ ...given, ...wrong })).not.toThrow(/secret$/);
});
