import {
  ErasurePage,
  ErasureProof,
  ErasureQuery,
  HistoryPage,
  LookAlikeChange,
  LookAlikes,
  MetadataKeys,
  PeoplePage,
  PeopleQuery,
  PersonErase,
  PersonProfile,
  TwinList,
} from '../../console/people.ts';
import { ImportQuery, ImportReport, MAX_IMPORT_BYTES } from '../../console/people-import.ts';
import { BlockCreate, BlockList, BlockPage } from '../../console/blocks.ts';
import { Done, PageQuery, WithReason } from '../../console/common.ts';
import { TestClock, TestClockRequest } from '../../v3.ts';
import type { ConsoleRoutes } from '../route.ts';

export const people = {
  list: {
    method: 'GET',
    path: '/people',
    role: 'reviewer',
    summary: 'List people, last seen first',
    query: PeopleQuery.properties,
    reply: PeoplePage,
  },
  metadataKeys: {
    method: 'GET',
    path: '/people/metadata-keys',
    role: 'reviewer',
    summary: 'List the keys of metadata',
    reply: MetadataKeys,
  },
  twins: {
    method: 'GET',
    path: '/people/twins',
    role: 'admin',
    summary: 'List people who have the same address as another',
    reply: TwinList,
  },
  import: {
    method: 'POST',
    path: '/people/import',
    role: 'admin',
    summary: 'Import people from another service, or rehearse it; the body is a CSV or JSON file',
    query: ImportQuery,
    reply: ImportReport,
    bodyLimit: MAX_IMPORT_BYTES,
  },
  read: {
    method: 'GET',
    path: '/people/:person_id',
    role: 'reviewer',
    summary: 'A person',
    reply: PersonProfile,
  },
  history: {
    method: 'GET',
    path: '/people/:person_id/history',
    role: 'reviewer',
    summary: 'List a person’s passes, newest first',
    query: PageQuery,
    reply: HistoryPage,
  },
  blocks: {
    method: 'GET',
    path: '/people/blocks',
    role: 'reviewer',
    summary: 'List the blocks in effect, the newest first',
    query: PageQuery,
    reply: BlockPage,
  },
  blocksOf: {
    method: 'GET',
    path: '/people/:person_id/blocks',
    role: 'reviewer',
    summary: 'List a person’s blocks, also ended ones',
    reply: BlockList,
  },
  block: {
    method: 'POST',
    path: '/people/:person_id/block',
    role: 'admin',
    summary: 'Refuse a person or send them to a reviewer, from the next check on',
    body: BlockCreate,
    reply: BlockList,
  },
  unblock: {
    method: 'POST',
    path: '/people/:person_id/unblock',
    role: 'admin',
    summary: 'End a person’s block',
    body: WithReason,
    reply: BlockList,
  },
  lookAlikes: {
    method: 'GET',
    path: '/people/:person_id/look-alikes',
    role: 'reviewer',
    summary: 'List the people whom a reviewer has told apart from this one',
    reply: LookAlikes,
  },
  changeLookAlike: {
    method: 'POST',
    path: '/people/:person_id/look-alikes',
    role: 'reviewer',
    summary: 'Tell two people who look alike apart, or take it back',
    body: LookAlikeChange,
    reply: LookAlikes,
  },
  export: {
    method: 'GET',
    path: '/people/:person_id/export',
    role: 'admin',
    summary: 'Export everything stored about a person',
  },
  erase: {
    method: 'POST',
    path: '/people/:person_id/erase',
    role: 'admin',
    summary: 'Erase a person and get the erasure record',
    body: PersonErase,
    reply: ErasureProof,
  },
} as const satisfies ConsoleRoutes;

export const erasures = {
  list: {
    method: 'GET',
    path: '/erasures',
    role: 'admin',
    summary: 'List erasure records, newest first',
    query: ErasureQuery.properties,
    reply: ErasurePage,
  },
  read: {
    method: 'GET',
    path: '/erasures/:proof_id',
    role: 'admin',
    summary: 'Read an erasure record',
    reply: ErasureProof,
  },
  file: {
    method: 'GET',
    path: '/erasures/:proof_id/file',
    role: 'admin',
    summary: 'Download an erasure record',
  },
} as const satisfies ConsoleRoutes;

export const testData = {
  clock: {
    method: 'GET',
    path: '/test-data/clock',
    role: 'staff',
    summary: 'Read the clock of the company’s test data',
    reply: TestClock,
  },
  advance: {
    method: 'POST',
    path: '/test-data/clock',
    role: 'admin',
    summary: 'Let time pass for the company’s test data',
    body: TestClockRequest,
    reply: TestClock,
  },
  clear: {
    method: 'POST',
    path: '/test-data/clear',
    role: 'admin',
    summary: 'Delete the company’s test data, whatever the partition of the call',
    body: WithReason,
    reply: Done,
  },
} as const satisfies ConsoleRoutes;
