// Written by `npm run locales` from locales/en. Do not edit.
export type HealthMessages = {
  title: string;
  well: string;
  lastBackup: string;
  looked: string;
  inOrder: string;
  checks: {
    database: string;
    faces: string;
    disk: string;
    clock: string;
    clean_up: string;
    backup: string;
    network: string;
    cameras: string;
    webhooks: string;
    codes: string;
    audit_export: string;
    update: string;
  };
  values: {
    free: (values: { size: string | number }) => string;
    ahead: (values: { count: number }) => string;
    backup: (values: { time: string | number }) => string;
    certificate: (values: { time: string | number }) => string;
    cameras: (values: { count: number }) => string;
    waiting: (values: { count: number }) => string;
  };
  since: (values: { time: string | number }) => string;
  severities: {
    critical: string;
    warning: string;
    notice: string;
  };
  more: (values: { count: number }) => string;
  open: string;
  review: string;
  staff: string;
  confirm: string;
  conditions: {
    storage_damaged: {
      what: string;
      todo: string;
    };
    storage_not_writable: {
      what: string;
      todo: string;
    };
    face_engine_unavailable: {
      what: string;
      todo: string;
    };
    log_damaged: {
      what: string;
      todo: string;
    };
    disk_full: {
      what: (values: { place: 'backups' | string & {}; free: string | number }) => string;
      todo: string;
    };
    disk_low: {
      what: (values: { place: 'backups' | string & {}; free: string | number }) => string;
      todo: string;
    };
    certificate_ended: {
      what: (values: { time: string | number }) => string;
      todo: string;
    };
    certificate_ending: {
      what: (values: { time: string | number }) => string;
      todo: string;
    };
    time_ahead: {
      what: (values: { count: number }) => string;
      todo: string;
    };
    retention_put_off: {
      what: (values: { why: 'many_faces' | string & {} }) => string;
      todo: string;
    };
    backup_failed: {
      what: string;
      todo: string;
    };
    backup_old: {
      what: string;
      todo: string;
    };
    network_failed: {
      what: string;
      todo: string;
    };
    sms_failing: {
      what: (values: { count: number }) => string;
      todo: string;
    };
    kiosk_cameras: {
      what: (values: { count: number }) => string;
      todo: string;
    };
    audit_export_failing: {
      what: string;
      todo: string;
    };
    update_rolled_back: {
      what: (values: { why: 'no_space' | 'backup_failed' | 'too_slow' | 'interrupted' | string & {} }) => string;
      todo: string;
    };
    update_waiting: {
      what: string;
      todo: string;
    };
    webhooks_stopped: {
      what: (values: { count: number }) => string;
      todo: string;
    };
    webhooks_waiting: {
      what: (values: { count: number }) => string;
      todo: string;
    };
    key_in_file: {
      what: string;
      todo: string;
    };
  };
};
