/** What a field shows and how it is changed. */

type Changed<Name extends string, T> = { currentTarget: Record<Name, T> };

export const text = (value: string, set: (value: string) => void) => ({
  value,
  onChange: ({ currentTarget }: Changed<'value', string>) => set(currentTarget.value),
});

export const tick = (checked: boolean, set: (checked: boolean) => void) => ({
  checked,
  onChange: ({ currentTarget }: Changed<'checked', boolean>) => set(currentTarget.checked),
});
