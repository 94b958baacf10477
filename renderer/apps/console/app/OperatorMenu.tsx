import { Menu, UnstyledButton, useMantineColorScheme } from '@mantine/core';
import { useNavigate } from '@tanstack/react-router';
import { useQueryClient } from '@tanstack/react-query';
import { LANGUAGES, LANGUAGE_NAMES } from '../../../i18n/language.ts';
import { Icon } from '../shared/icons.tsx';
import { SCHEMES } from '../theme/theme.ts';
import { useSearch } from '../shared/lists/search.ts';
import { scopeSearch, signOut, useMe } from '../shared/client/session.ts';
import { leaveUnsaved } from '../shared/forms/unsaved.ts';
import { useCommonWords, useLanguage } from '../shared/words.tsx';

export function OperatorMenu() {
  const { menu, roles } = useCommonWords();
  const { operator } = useMe();
  const { language, choose } = useLanguage();
  // Pausing transitions would need a <style> element.
  const { colorScheme, setColorScheme } = useMantineColorScheme({ keepTransitions: true });
  const client = useQueryClient();
  const navigate = useNavigate();
  const search = scopeSearch(useSearch());
  return (
    <Menu width={220}>
      <Menu.Target>
        <UnstyledButton className="operator" aria-label={menu.label({ name: operator.name })}>
          <Icon name="account" />
          <span className="operator__name">{operator.name}</span>
          <Icon name="chevron" size={14} />
        </UnstyledButton>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Label>{`${operator.name} · ${roles[operator.role]}`}</Menu.Label>
        <Menu.Item
          leftSection={<Icon name="account" />}
          onClick={() => void navigate({ to: '/account', search: search })}
        >
          {menu.account}
        </Menu.Item>
        <Menu.Divider />
        <Menu.Label>{menu.theme}</Menu.Label>
        {SCHEMES.map((scheme) => (
          <Menu.Item
            key={scheme}
            leftSection={<Icon name={scheme === colorScheme ? 'check' : 'dash'} />}
            aria-current={scheme === colorScheme}
            onClick={() => setColorScheme(scheme)}
          >
            {menu[scheme]}
          </Menu.Item>
        ))}
        <Menu.Divider />
        <Menu.Label>{menu.language}</Menu.Label>
        {LANGUAGES.map((code) => (
          <Menu.Item
            key={code}
            lang={code}
            leftSection={<Icon name={code === language ? 'check' : 'dash'} />}
            aria-current={code === language}
            onClick={() => choose(code)}
          >
            {LANGUAGE_NAMES[code]}
          </Menu.Item>
        ))}
        <Menu.Divider />
        <Menu.Item
          leftSection={<Icon name="out" />}
          onClick={() => leaveUnsaved(undefined, () => void signOut(client))}
        >
          {menu.signOut}
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}
