{{- define "veridical.labels" -}}
app.kubernetes.io/name: veridical
app.kubernetes.io/instance: {{ .Release.Name }}
{{- end }}

{{- define "veridical.pod" -}}
automountServiceAccountToken: false
enableServiceLinks: false # their variables would be taken for settings
{{- with .Values.pullSecrets }}
imagePullSecrets:
  {{- toYaml . | nindent 2 }}
{{- end }}
securityContext:
  runAsNonRoot: true
  runAsUser: 10001
  runAsGroup: 10001
  fsGroup: 10001
  seccompProfile: { type: RuntimeDefault }
volumes:
  - name: settings
    configMap: { name: {{ .Release.Name }}-settings }
  - name: tmp
    emptyDir: { sizeLimit: 64Mi }
{{- end }}

{{- define "veridical.container" -}}
image: {{ .Values.image | quote }}
securityContext:
  allowPrivilegeEscalation: false
  readOnlyRootFilesystem: true
  capabilities: { drop: [ALL] }
volumeMounts:
  - { name: settings, mountPath: /etc/veridical, readOnly: true }
  - { name: tmp, mountPath: /tmp }
{{- end }}
