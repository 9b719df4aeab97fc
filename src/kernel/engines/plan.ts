/**
 * A container group as an engine is told to run it: the user's wishes in full, secrets included, with defaults filled in. It is
 * made from the stored resource whenever it is needed and never stored itself.
 */

export type RestartPolicy = 'Always' | 'OnFailure' | 'Never';
export type Protocol = 'TCP' | 'UDP';

export interface GroupPlan {
  /** Names the group in the engine; never used again, not even for a group of the same name. */
  readonly uid: string;
  readonly resourceId: string;
  readonly name: string;
  readonly osType: 'Linux' | 'Windows';
  readonly restartPolicy: RestartPolicy;
  /** In order, one after the other, before any of the containers. */
  readonly init: readonly ContainerPlan[];
  readonly containers: readonly ContainerPlan[];
  readonly volumes: readonly VolumePlan[];
  readonly network: NetworkPlan;
  readonly registries: readonly RegistryLogin[];
}

export interface NetworkPlan {
  /** Reachable from outside the group, under an address of its own; otherwise from inside only. */
  readonly address: 'Public' | 'Private' | 'None';
  readonly ports: readonly PortPlan[];
  readonly dns: DnsPlan | undefined;
}

export interface PortPlan {
  readonly port: number;
  readonly protocol: Protocol;
}

export interface DnsPlan {
  readonly nameServers: readonly string[];
  readonly searchDomains: readonly string[];
  readonly options: readonly string[];
}

export interface RegistryLogin {
  /** Host name without a scheme. */
  readonly server: string;
  readonly username: string | undefined;
  readonly password: string | undefined;
}

export interface ContainerPlan {
  readonly name: string;
  readonly image: string;
  /** Absent: what the image says. */
  readonly command: readonly string[] | undefined;
  readonly env: readonly { readonly name: string; readonly value: string }[];
  readonly ports: readonly PortPlan[];
  /** Absent for init containers, which may use all that the group has. */
  readonly resources: ResourcePlan | undefined;
  readonly mounts: readonly MountPlan[];
  readonly security: SecurityPlan | undefined;
  readonly liveness: ProbePlan | undefined;
  readonly readiness: ProbePlan | undefined;
}

export interface ResourcePlan {
  readonly requests: { readonly cpu: number; readonly memoryBytes: number };
  /** The request where the user gave no limit. */
  readonly limits: { readonly cpu: number; readonly memoryBytes: number };
  readonly gpu: { readonly count: number; readonly sku: string } | undefined;
}

export interface MountPlan {
  readonly volume: string;
  readonly path: string;
  readonly readOnly: boolean;
}

export interface SecurityPlan {
  readonly privileged: boolean;
  readonly allowPrivilegeEscalation: boolean | undefined;
  readonly addCapabilities: readonly string[];
  readonly dropCapabilities: readonly string[];
  readonly runAsUser: number | undefined;
  readonly runAsGroup: number | undefined;
  /** The JSON text of a profile, decoded. */
  readonly seccompProfile: string | undefined;
}

export interface ProbePlan {
  readonly check:
    | { readonly kind: 'exec'; readonly command: readonly string[] }
    | {
        readonly kind: 'httpGet';
        readonly path: string;
        readonly port: number;
        readonly scheme: 'http' | 'https';
        readonly headers: readonly { readonly name: string; readonly value: string }[];
      };
  readonly initialDelaySeconds: number;
  readonly periodSeconds: number;
  readonly failureThreshold: number;
  readonly successThreshold: number;
  readonly timeoutSeconds: number;
}

export type VolumePlan = { readonly name: string } & (
  | { readonly kind: 'emptyDir' }
  /** File name to content, in base64. */
  | { readonly kind: 'secret'; readonly files: Readonly<Record<string, string>> }
  | {
      readonly kind: 'gitRepo';
      readonly repository: string;
      readonly directory: string | undefined;
      readonly revision: string | undefined;
    }
  | {
      readonly kind: 'azureFile';
      readonly shareName: string;
      readonly storageAccountName: string;
      readonly storageAccountKey: string | undefined;
      readonly readOnly: boolean;
    }
);
