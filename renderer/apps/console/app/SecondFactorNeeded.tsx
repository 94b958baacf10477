import { Button } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { SetUp } from '../second-factor/SetUp.tsx';
import { meQuery, signOut } from '../shared/client/session.ts';
import { useWords } from '../shared/words.tsx';
import { Entrance } from './Entrance.tsx';

/** Shown instead of the console until an admin who needs a second factor has one. */
export function SecondFactorNeeded() {
  const words = useWords('second-factor');
  const client = useQueryClient();
  return (
    <Entrance title={words.neededTitle} wide>
      <p className="quiet">{words.neededText}</p>
      <SetUp
        onDone={() => void client.invalidateQueries({ queryKey: meQuery.queryKey })}
        leave={
          <Button variant="default" onClick={() => void signOut(client)}>
            {words.signOut}
          </Button>
        }
      />
    </Entrance>
  );
}
