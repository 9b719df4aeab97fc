/** Operating systems and platforms of apps. In a separate module, because the seed loads it at every start. */

export const SYSTEMS = ['Android', 'iOS', 'macOS', 'Tizen', 'tvOS', 'Windows', 'Linux', 'Custom'] as const;
export const PLATFORMS = [
  'Java',
  'Objective-C-Swift',
  'UWP',
  'Cordova',
  'React-Native',
  'Xamarin',
  'Unity',
  'Electron',
  'WPF',
  'WinForms',
  'Custom',
] as const;
