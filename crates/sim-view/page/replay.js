// The page of a run, of two runs or of a batch.
import { begin } from './app.js';
import { buildBatch } from './batch.js';
import { buildPair } from './pair.js';
import { buildRun } from './run.js';

begin((head, bytes, stage, main) => {
    if (head.kind === 'run') buildRun(head, bytes, stage, main);
    if (head.kind === 'pair') buildPair(head, bytes, stage, main);
    if (head.kind === 'batch') buildBatch(head, bytes, stage, main);
    return null;
});
