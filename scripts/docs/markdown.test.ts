import { expect, test } from 'vitest';
import { publicDocument } from '../../server/routes/docs/openapi.ts';
import { CHAPTERS, guideFiles } from './markdown.ts';

const files = await guideFiles();

test('`llms.txt` lists every chapter and the reference, and each is there', () => {
  const listed = [...(files.get('llms.txt') ?? '').matchAll(/\]\(\/docs\/([^)]+)\)/g)].map(
    ([, name]) => name,
  );
  expect(listed).toHaveLength(CHAPTERS.length + 1);
  expect([...files.keys()].filter((name) => name !== 'llms.txt').sort()).toEqual(listed.sort());
});

test('every link of a chapter leads to a chapter, to the service, or away', () => {
  const broken = [...files].flatMap(([name, text]) =>
    [
      ...text
        .replaceAll(/```[\s\S]*?```/g, '')
        .matchAll(/\]\((?!https?:|mailto:|#|\/sdk\/|\/openapi|\/postman)([^)#]*)/g),
    ]
      .filter(([, target = '']) => !files.has(target.replace('/docs/', '')))
      .map(([link]) => `${name}: ${link}`),
  );
  expect(broken).toEqual([]);
});

test('chapters have no marks of tests and no pictures, which are not served', () => {
  for (const [name, text] of files) {
    expect(text, name).not.toMatch(/^ *```\w+ \S/m);
    expect(text, name).not.toMatch(/^!\[/m);
  }
});

test('the reference has every operation with its examples, codes and reasons', async () => {
  const reference = files.get('reference.md') ?? '';
  const { paths, ...document } = await publicDocument('https://verify.example.org');
  for (const [path, methods] of Object.entries(paths))
    for (const [method, operation] of Object.entries(methods)) {
      expect(reference).toContain(`\`${method.toUpperCase()} ${path}\``);
      const { responses } = operation as { responses: Record<string, { 'x-codes'?: { code: string }[] }> };
      for (const { 'x-codes': codes = [] } of Object.values(responses))
        for (const { code } of codes) expect(reference).toContain(`\`${code}\``);
    }
  expect(reference).not.toContain('undefined');
  for (const { code } of document['x-reasons'] as { code: string }[])
    expect(reference).toContain(`- \`${code}\``);
});
