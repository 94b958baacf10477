/** Reads the documentation: its pages, links and code blocks. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';

export const ROOT = path.resolve(import.meta.dirname, '../..');
export const textOf = (file: string): string => readFileSync(path.join(ROOT, file), 'utf8');

/** A page of the documentation; `file` is its path from the root of the project. */
type Document = { file: string; text: string };

export type CodeBlock = {
  /** First word after the fence, such as `sh`. */
  language: string;
  /** The rest of the line: `run`, with words that `e2e/support/documented.ts` explains, `check: reason`, or nothing. */
  mark: string;
  code: string;
  /** Line of the opening fence, from 1. */
  line: number;
};

const OUTSIDE_DOCS = ['README.md', 'CONTRIBUTING.md', 'CHANGELOG.md', 'SECURITY.md'];

export function readDocuments(): Document[] {
  const inDocs = readdirSync(path.join(ROOT, 'docs'), { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.md'))
    .map((file) => path.posix.join('docs', file.replaceAll(path.sep, '/')));
  return [...OUTSIDE_DOCS.filter((file) => existsSync(path.join(ROOT, file))), ...inDocs.sort()].map(
    (file) => ({
      file,
      text: textOf(file),
    }),
  );
}

/** Fenced code blocks, including those in lists. */
export function codeBlocksOf(text: string): CodeBlock[] {
  const fences = text.matchAll(/^( *)```(\w+)(?: ([^\n]*))?\n([\s\S]*?)^\1```$/gm);
  return [...fences].map(({ index, 1: indent = '', 2: language = '', 3: mark = '', 4: code = '' }) => ({
    language,
    mark,
    code: code.replaceAll(new RegExp(`^${indent}`, 'gm'), ''),
    line: text.slice(0, index).split('\n').length,
  }));
}

/** Without code blocks, which would look like headings and links. */
export const withoutCodeBlocks = (text: string): string => text.replaceAll(/^( *)```[\s\S]*?^\1```$/gm, '');

/** Anchors that GitHub gives the headings of a page. */
export const anchorsOf = (text: string): string[] =>
  [...withoutCodeBlocks(text).matchAll(/^#+ (.+)$/gm)].map(([, heading = '']) =>
    heading
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N} _-]/gu, '')
      .replaceAll(' ', '-'),
  );
